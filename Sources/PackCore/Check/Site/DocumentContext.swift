package import PackGround
package import PackProfile
package import PackURL
package import PackWeb

/// One file of the build while it is checked: its bytes and everything found in them.
///
/// It exists only while its rules run; what other files need to know is in its ``DocumentSummary``.
package struct DocumentContext: Sendable {
    package let site: SiteIndex
    /// Its index in ``SiteIndex/files``.
    package let index: Int
    package let kind: DocumentKind
    package let text: DocumentText
    /// Those of the text: of the file, unless it is in another encoding than UTF-8.
    package let bytes: [UInt8]
    /// Its own URL on the device.
    package let url: URLRecord?
    /// What relative references resolve against: the page's `base` if it has one.
    package internal(set) var baseURL: URLRecord?
    /// Where the `base` of the page starts, if it is not the page itself.
    ///
    /// What the parser has met before counts from the page.
    var baseStart: Int?
    /// Of pages and SVG files.
    package internal(set) var html: HTMLReferences?
    /// Of style sheets.
    package internal(set) var css: CSSReferences?
    /// CSS in pages, with its fragment: an index into `HTMLReferences.fragments`.
    package internal(set) var styles: [EmbeddedStyle] = []
    /// Scripts in the file: all of a script's file, or each script and handler of a page.
    package internal(set) var scripts: [ScriptText] = []
    /// What is found in each of ``scripts``.
    package internal(set) var scriptReferences: [JavaScriptReferences] = []
    /// The maps of chunks in its scripts that do not list every chunk.
    var openMaps: [DocumentSummary.OpenMap] = []
    /// In file order, including those of embedded styles and scripts.
    package internal(set) var references: [Reference] = []
    /// The ignore comments, in file order.
    package internal(set) var ignoreComments: [IgnoreComment] = []

    package var path: AssetPath { site.files[index].path }
    package var profile: Profile { site.profile }

    /// CSS inside a page.
    package struct EmbeddedStyle: Sendable {
        /// An index into `HTMLReferences.fragments`.
        package let fragment: Int
        /// Its bytes, and the mapping to those of the file.
        package let text: HTMLDecodedText
        package let css: CSSReferences
    }

    /// The element that a reference belongs to.
    package func element(of reference: Reference) -> HTMLElement? {
        reference.element.flatMap { html?.elements[$0] }
    }

    /// The decoded value of an attribute of an element.
    package func value(_ name: HTMLName, of element: HTMLElement) -> String? {
        element.value(of: name, in: bytes.span).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value in ASCII lower case, white space around it removed.
    package func keyword(_ name: HTMLName, of element: HTMLElement) -> String? {
        element.keyword(of: name, in: bytes.span)
    }

    /// Whether an element has an attribute.
    package func has(_ name: HTMLName, _ element: HTMLElement) -> Bool {
        element.has(name, in: bytes.span)
    }

    /// The attribute itself.
    package func attribute(_ name: HTMLName, of element: HTMLElement) -> HTMLAttribute? {
        element.attributes.first(name, in: bytes.span)
    }

    /// What a URL counts from that is resolved when the parser meets it.
    func base(at place: Int) -> URLRecord? {
        guard let baseStart, place < baseStart else { return baseURL }
        return url
    }

    /// Whether such a URL counts from another place than the page.
    func isFromBase(_ place: Int) -> Bool { baseStart.map { place >= $0 } ?? false }

    /// The resolution of a text as a reference in this document.
    package func resolve(_ reference: some Collection<UInt8>) -> Resolution {
        site.resolver.resolve(reference, from: baseURL)
    }
}

/// A script, or a piece of one, with the mapping to the bytes of its file.
package struct ScriptText: Sendable {
    /// How the script is run.
    package enum Role: String, Sendable {
        case classic, module
        case eventHandler = "event-handler"
    }

    package let role: Role
    /// Its bytes: those of the file, or decoded from a page.
    package let bytes: [UInt8]
    /// The fragment of the page that contains it; `nil` for a script's own file.
    package let fragment: Int?
    private let text: HTMLDecodedText?

    init(role: Role, file bytes: [UInt8]) {
        self.role = role
        self.bytes = bytes
        fragment = nil
        text = nil
    }

    init(role: Role, fragment: Int, text: HTMLDecodedText) {
        self.role = role
        self.bytes = text.bytes
        self.fragment = fragment
        self.text = text
    }

    /// The bytes of the file for some bytes of the script.
    package func fileRange(of range: Range<Int>) -> Range<Int> {
        text?.sourceRange(of: range) ?? range
    }
}
