/// The encoding of a page, and its source (HTML 13.2.3.2).
///
/// A client that serves files without headers leaves exactly this to the browser.
package struct HTMLEncoding: Equatable, Sendable {
    /// The declarations of an encoding.
    package enum Source: Equatable, Sendable {
        case byteOrderMark
        /// `<meta charset="…">`.
        case metaCharset
        /// `<meta http-equiv="content-type" content="…; charset=…">`.
        case metaContentType
        /// `<?xml … encoding="…"?>`, or the first bytes of one in UTF-16.
        case xmlDeclaration
        /// No declaration: the browser guesses.
        case undeclared
    }

    /// The number of bytes that a browser always searches for a declaration.
    ///
    /// WebKit also searches the rest of the head.
    package static let prescanLength = 1024

    /// The encoding's name in lower case, from ``EncodingLabel``; `nil` if none is declared.
    ///
    /// By the standard, a `meta` that declares UTF-16 means UTF-8.
    package let name: String?
    package let source: Source
    /// The declaration's label, or the byte order mark.
    package let range: Range<Int>?
    /// The first unknown label in a declaration.
    package let unknownLabel: Range<Int>?

    /// The start of the page, after a byte order mark.
    package var contentStart: Int { source == .byteOrderMark ? range?.upperBound ?? 0 : 0 }

    /// Whether markup can be found by its ASCII bytes.
    ///
    /// `true` for every encoding of the web except three: trail bytes of the others are never `<`,
    /// `>`, `&` or a quote.
    package var isASCIICompatible: Bool {
        switch name {
        case "utf-16le", "utf-16be", "iso-2022-jp", "replacement": false
        default: true
        }
    }

    /// Reads a page's byte order mark and its first bytes.
    package init(of page: Span<UInt8>, prescanLength: Int = HTMLEncoding.prescanLength) {
        if let (name, length) = Self.byteOrderMark(page) {
            self.init(name, .byteOrderMark, 0..<length, unknown: nil)
            return
        }
        var prescan = EncodingPrescan()
        let length = max(0, min(prescanLength, page.count))
        let found =
            prescan.run(page, length)
            ?? EncodingPrescan.xmlDeclaration(page.extracting(0..<length))
        self.init(
            found?.name, found?.source ?? .undeclared, found?.label, unknown: prescan.unknownLabel)
    }

    private init(_ name: String?, _ source: Source, _ range: Range<Int>?, unknown: Range<Int>?) {
        self.name = name
        self.source = source
        self.range = range
        unknownLabel = unknown
    }

    /// The encoding of a byte order mark, and the length of the mark.
    package static func byteOrderMark(_ page: Span<UInt8>) -> (name: String, length: Int)? {
        guard page.count >= 2 else { return nil }
        switch (page[0], page[1]) {
        case (0xFE, 0xFF): return ("utf-16be", 2)
        case (0xFF, 0xFE): return ("utf-16le", 2)
        case (0xEF, 0xBB): return page.count >= 3 && page[2] == 0xBF ? ("utf-8", 3) : nil
        default: return nil
        }
    }
}
