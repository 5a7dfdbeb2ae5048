package import PackGround
package import PackProfile
package import PackURL
package import PackWeb

/// One file during its check: its bytes and everything found in them.
///
/// It exists only while its rules run; its ``DocumentSummary`` keeps the facts needed later.
package struct DocumentContext: Sendable {
    package let site: SiteIndex
    /// The index in ``SiteIndex/files``.
    package let index: Int
    package let kind: DocumentKind
    package let text: DocumentText
    /// The bytes of ``text``: those of the file, unless it has another encoding than UTF-8.
    package let bytes: [UInt8]
    /// The URL of the file on the device.
    package let url: URLRecord?
    /// The URL against which relative references resolve: the page's `base`, or its own URL.
    package internal(set) var baseURL: URLRecord?
    /// The offset of the page's `base` element, if it changes the base URL.
    ///
    /// References parsed before it resolve against the page.
    var baseStart: Int?
    /// Set for pages and SVG files.
    package internal(set) var html: HTMLReferences?
    /// Set for style sheets.
    package internal(set) var css: CSSReferences?
    /// The first import map of a page.
    var importMap: ImportMap?
    /// The custom properties read by its style sheets.
    var variables = CSSVariables()
    /// Style sheets embedded in a page.
    package internal(set) var styles: [EmbeddedStyle] = []
    /// The scripts: the whole file of a script, or each script and event handler of a page.
    package internal(set) var scripts: [ScriptText] = []
    /// The references found in each of ``scripts``.
    package internal(set) var scriptReferences: [JavaScriptReferences] = []
    /// The maps of chunks in its scripts that do not list every chunk.
    var openMaps: [DocumentSummary.OpenMap] = []
    /// In file order, including references in embedded styles and scripts.
    package internal(set) var references: [Reference] = []
    /// The paths in its data.
    var dataPaths: [PathString] = []
    /// The ignore comments in file order.
    package internal(set) var ignoreComments: [IgnoreComment] = []

    package var path: AssetPath { site.files[index].path }
    package var profile: Profile { site.profile }

    /// A style sheet embedded in a page.
    package struct EmbeddedStyle: Sendable {
        /// An index into `HTMLReferences.fragments`.
        package let fragment: Int
        /// The decoded text, mapped to the bytes of the file.
        package let text: HTMLDecodedText
        package let css: CSSReferences
    }

    /// The element of a reference.
    package func element(of reference: Reference) -> HTMLElement? {
        reference.element.flatMap { html?.elements[$0] }
    }

    /// The decoded value of an element's attribute.
    package func value(_ name: HTMLName, of element: HTMLElement) -> String? {
        element.value(of: name, in: bytes.span).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value in ASCII lower case, without surrounding white space.
    package func keyword(_ name: HTMLName, of element: HTMLElement) -> String? {
        element.keyword(of: name, in: bytes.span)
    }

    /// Whether an element has an attribute.
    package func has(_ name: HTMLName, _ element: HTMLElement) -> Bool {
        element.has(name, in: bytes.span)
    }

    /// An attribute of an element.
    package func attribute(_ name: HTMLName, of element: HTMLElement) -> HTMLAttribute? {
        element.attributes.first(name, in: bytes.span)
    }

    /// The base of a URL that is resolved when the parser reaches it.
    func base(at position: Int) -> URLRecord? {
        guard let baseStart, position < baseStart else { return baseURL }
        return url
    }

    /// Whether such a URL resolves against the `base` element.
    func isFromBase(_ position: Int) -> Bool { baseStart.map { position >= $0 } ?? false }

    /// Resolves a URL as a reference in this document.
    package func resolve(_ reference: some Collection<UInt8>) -> Resolution {
        site.resolver.resolve(reference, from: baseURL)
    }
}

/// A script, or part of one, mapped to the bytes of its file.
package struct ScriptText: Sendable {
    /// The way a script is run.
    package enum Role: String, Sendable {
        case classic, module
        case eventHandler = "event-handler"
    }

    package let role: Role
    /// The bytes of the script: those of the file, or decoded from a page.
    package let bytes: [UInt8]
    /// The fragment of the page containing it; `nil` for a script file.
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

    /// Maps a range of the script to the file.
    package func fileRange(of range: Range<Int>) -> Range<Int> {
        text?.sourceRange(of: range) ?? range
    }
}
