/// All URLs in a page, and all parts in other languages that may contain URLs.
package struct HTMLReferences: Sendable {
    package internal(set) var encoding: HTMLEncoding
    package internal(set) var doctype: HTMLDoctype?
    /// The attributes of scripts, such as `data-model`, whose values may be paths of files.
    package internal(set) var otherPaths: [HTMLAttribute] = []
    /// The elements with references and fragments, in page order.
    package internal(set) var elements: [HTMLElement] = []
    /// In the order of the page.
    package internal(set) var references: [HTMLReference] = []
    package internal(set) var fragments: [HTMLFragment] = []
    /// The effective `base`, an index into ``references``: the first in the page with `href`.
    package internal(set) var base: Int?
    /// The start of the body: the first tag or text that is not part of the head.
    package internal(set) var bodyStart: Int?
    /// `meta` elements that declare an encoding, anywhere in the page; indices into ``elements``.
    package internal(set) var encodingDeclarations: [Int] = []
    /// Parse errors token by token, up to the requested number.
    package internal(set) var errors: [HTMLParseError] = []

    /// The options for reading a page.
    package struct Options: Sendable {
        /// Whether to also read the content of `noscript` as markup.
        ///
        /// It exists only for browsers without scripting, so all its references are marked.
        var readsNoscript: Bool
        /// The largest number of parse errors to keep; 0 skips the work of finding them.
        var errorLimit: Int

        package init(readsNoscript: Bool = true, errorLimit: Int = 0) {
            self.readsNoscript = readsNoscript
            self.errorLimit = errorLimit
        }
    }

    /// Reads a page; if its encoding hides the markup (UTF-16), only the encoding is returned.
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
