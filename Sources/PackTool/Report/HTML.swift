import PackGround

/// A piece of a page.
///
/// What the source code spells out is markup; what is put into it is text, and escaped. So no foreign name
/// can become a tag or an attribute.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    package let string: String

    package init(stringLiteral string: String) { self.string = string }

    package init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

    private init(markup string: String) { self.string = string }

    /// Pieces one after the other.
    package init(joining pieces: some Sequence<HTML>) {
        string = pieces.lazy.map(\.string).joined(separator: "\n")
    }

    /// The content of a style sheet of ours.
    init(style: StaticString) { string = "\(style)" }

    package static func + (one: HTML, other: HTML) -> HTML {
        HTML(markup: one.string + other.string)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var string = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            string.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) { string += literal }

        package mutating func appendInterpolation(_ piece: HTML) { string += piece.string }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            string += HTML.escaped(value.description)
        }
    }

    /// Text as the content of an element or of a quoted attribute.
    fileprivate static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in printable(text.utf8).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
