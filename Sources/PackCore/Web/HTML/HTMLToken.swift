/// One piece of a page, as ranges of its bytes.
///
/// The tokens of a page are contiguous: each starts where the previous one ends.
package struct HTMLToken: Equatable, Sendable {
    /// The kind of a token.
    package enum Kind: UInt8, Sendable {
        case startTag, endTag, text, comment, doctype
        /// A CDATA section with its brackets; only inside svg or math.
        case cdata
        /// Markup that the standard drops: `</>`, and a tag cut off by the end of the page.
        case discarded
    }

    package let kind: Kind
    var isSelfClosing = false
    /// The decoding of the content, for text and CDATA.
    package var decoding = HTMLDecoding.raw
    /// All the bytes of the token.
    package let range: Range<Int>
    /// A tag's name as written; the characters of a text, comment or CDATA section.
    package let content: Range<Int>
    /// The tag's name; empty for other tokens.
    package var name = HTMLName()
}

/// The rules for decoding a text (HTML 13.2.5).
package enum HTMLDecoding: UInt8, Sendable {
    /// Decodes character references; U+0000 is kept, and the tree builder drops it.
    case text
    /// Decodes character references; U+0000 becomes U+FFFD.
    case rcdata
    /// No character references; U+0000 becomes U+FFFD.
    case raw
    /// No character references; U+0000 is kept.
    case cdata
    /// Decodes character references by the rules for attributes; U+0000 becomes U+FFFD.
    case attribute

    var hasReferences: Bool { self == .text || self == .rcdata || self == .attribute }
    var keepsNull: Bool { self == .text || self == .cdata }
}

/// The delimiter of an attribute's value.
package enum HTMLQuote: UInt8, Sendable {
    /// No `=` and no value: `<script async>`.
    case missing
    /// `<a href=x>`; also `<a href=>`, whose value is empty.
    case unquoted
    case double, single

    /// The delimiting byte.
    package var byte: UInt8? {
        switch self {
        case .double: UInt8(ascii: "\"")
        case .single: UInt8(ascii: "'")
        case .missing, .unquoted: nil
        }
    }
}

/// An attribute of a tag, as ranges of the page's bytes.
package struct HTMLAttribute: Equatable, Sendable {
    package let name: Range<Int>
    /// The value without its quotes, undecoded; empty, at the end of the name, if there is none.
    package let value: Range<Int>
    package let quote: HTMLQuote
    /// Whether an earlier attribute of the tag has this name, so that browsers ignore this one.
    package let isDuplicate: Bool
    let nameHash: UInt32

    /// The attribute from its name to its closing quote.
    package var range: Range<Int> {
        name.lowerBound..<(value.upperBound + (quote.byte == nil ? 0 : 1))
    }
}

/// The parts of a doctype, as ranges of the page's bytes; `nil` is "missing".
package struct HTMLDoctype: Equatable, Sendable {
    var name: Range<Int>?
    var publicID: Range<Int>?
    package var systemID: Range<Int>?
    /// The force-quirks flag.
    var forcesQuirks = false
}
