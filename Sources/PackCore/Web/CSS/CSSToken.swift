/// A token of a style sheet: its kind and its bytes (docs/sources.md#css-syntax, section 4).
///
/// Tokens contain no text; ``text(in:)`` decodes it on demand.
struct CSSToken: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case ident, function, atKeyword, hash, string, badString, url, badURL
        case delim, number, percentage, dimension, whitespace, cdo, cdc
        case colon, semicolon, comma
        case openSquare, closeSquare, openParen, closeParen, openCurly, closeCurly
        /// The standard drops comments; here they are tokens, because tools store URLs in them.
        case comment
        /// After the last byte.
        case end
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The content contains a backslash escape.
        static let escaped = Traits(rawValue: 1)
        /// The content contains a NUL, which means U+FFFD.
        static let replaced = Traits(rawValue: 2)
        /// A string, URL or comment that the end of the input closes.
        static let unterminated = Traits(rawValue: 4)
        /// A hash that is an identifier (type flag "id").
        static let isID = Traits(rawValue: 8)
        /// A numeric token with a fraction or an exponent (type flag "number").
        static let isFractional = Traits(rawValue: 16)
    }

    let kind: Kind
    let traits: Traits
    let start: Int
    let end: Int
    /// The significant part: the name of an ident, a function, an at-keyword or a hash, the inside
    /// of a string, a URL or a comment, the unit of a dimension; otherwise the whole token.
    let contentStart: Int
    let contentEnd: Int

    init(
        _ kind: Kind, _ range: Range<Int>, content: Range<Int>? = nil, _ traits: Traits = []
    ) {
        self.kind = kind
        self.traits = traits
        start = range.lowerBound
        end = range.upperBound
        contentStart = content?.lowerBound ?? range.lowerBound
        contentEnd = content?.upperBound ?? range.upperBound
    }

    var range: Range<Int> { start..<end }

    var content: Range<Int> { contentStart..<contentEnd }

    /// The content by the standard: escapes decoded, NUL and invalid UTF-8 as U+FFFD.
    func text(in source: Span<UInt8>) -> [UInt8] {
        CSSEscape.decode(source, content, isString: kind == .string || kind == .badString)
    }

    /// Whether the content is `name`, ignoring the case of ASCII letters.
    ///
    /// - Parameter name: In lower case.
    func isNamed(_ name: String, in source: Span<UInt8>) -> Bool {
        let name = name.utf8
        if traits.isEmpty {
            guard contentEnd - contentStart == name.count, contentEnd <= source.count else {
                return false
            }
            var position = contentStart
            for byte in name {
                if CSSByte.lowercased(source[position]) != byte { return false }
                position += 1
            }
            return true
        }
        return text(in: source).map(CSSByte.lowercased).elementsEqual(name)
    }
}
