/// Everything in a page that refers to something, or that is in a language that could.
package struct HTMLReferences: Sendable {
    package internal(set) var encoding: HTMLEncoding
    package internal(set) var doctype: HTMLDoctype?
    /// The elements with references and fragments, in page order.
    package internal(set) var elements: [HTMLElement] = []
    /// In the order of the page.
    package internal(set) var references: [HTMLReference] = []
    package internal(set) var fragments: [HTMLFragment] = []
    /// The `base` that counts, an index into ``references``: the first in the page with `href`.
    package internal(set) var base: Int?
    /// Where the body starts: the first tag or text that is not part of the head.
    package internal(set) var bodyStart: Int?
    /// `meta` elements that declare an encoding, anywhere in the page; indices into ``elements``.
    package internal(set) var encodingDeclarations: [Int] = []
    /// Parse errors token by token, up to the requested number.
    package internal(set) var errors: [HTMLParseError] = []

    package struct Options: Sendable {
        /// Whether to read the content of `noscript` as markup too.
        ///
        /// It exists only for browsers without scripting, so everything found there is marked.
        var readsNoscript: Bool
        /// How many parse errors to keep; 0 skips the work of finding them.
        var errorLimit: Int

        package init(readsNoscript: Bool = true, errorLimit: Int = 0) {
            self.readsNoscript = readsNoscript
            self.errorLimit = errorLimit
        }
    }

    /// Reads a page; one whose encoding hides its markup (UTF-16) yields its encoding and no more.
    package init(of page: Span<UInt8>, options: Options = Options()) {
        let encoding = HTMLEncoding(of: page)
        var collector = HTMLReferenceCollector(encoding: encoding, options: options)
        if encoding.isASCIICompatible {
            collector.read(page, encoding.contentStart..<page.count)
        }
        self = collector.result
    }

    init(encoding: HTMLEncoding) { self.encoding = encoding }
}
