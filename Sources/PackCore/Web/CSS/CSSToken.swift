/// A token of a style sheet: what it is and which bytes it spans.
///
/// CSS Syntax Level 3, section 4. Tokens carry no text; ``text(in:)`` decodes it where it is wanted.
package struct CSSToken: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case ident, function, atKeyword, hash, string, badString, url, badURL
        case delim, number, percentage, dimension, whitespace, cdo, cdc
        case colon, semicolon, comma
        case openSquare, closeSquare, openParen, closeParen, openCurly, closeCurly
        /// The standard drops comments; here they are tokens, for what people write into them.
        case comment
        /// After the last byte.
        case end
    }

    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The content holds a backslash escape.
        package static let escaped = Traits(rawValue: 1)
        /// The content holds a NUL, which stands for U+FFFD.
        package static let replaced = Traits(rawValue: 2)
        /// A string, URL or comment that the end of the input closes.
        package static let unterminated = Traits(rawValue: 4)
        /// A hash that is an identifier (type flag "id").
        package static let isID = Traits(rawValue: 8)
        /// A numeric token with a fraction or an exponent (type flag "number").
        package static let isFractional = Traits(rawValue: 16)
    }

    package let kind: Kind
    package let traits: Traits
    package let start: Int
    package let end: Int
    /// The part that has a meaning of its own: the name of an ident, a function, an at-keyword or a
    /// hash, the inside of a string, a URL or a comment, the unit of a dimension; else the whole token.
    package let contentStart: Int
    package let contentEnd: Int

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

    package var range: Range<Int> { start..<end }

    package var content: Range<Int> { contentStart..<contentEnd }

    /// The content as the standard has it: escapes decoded, NUL and what is not UTF-8 as U+FFFD.
    package func text(in source: Span<UInt8>) -> [UInt8] {
        CSSEscape.decode(source, content, isString: kind == .string || kind == .badString)
    }

    /// Whether the content is `name`, in whatever case its ASCII letters are written.
    ///
    /// - Parameter name: In lower case.
    package func isNamed(_ name: String, in source: Span<UInt8>) -> Bool {
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
