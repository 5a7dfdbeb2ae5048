import PackGround

/// A fragment of an HTML page.
///
/// String literals are markup; interpolated values are text and are escaped, so that no foreign
/// name can become a tag or an attribute.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    package let string: String

    package init(stringLiteral string: String) { self.string = string }

    package init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

    private init(markup string: String) { self.string = string }

    /// Joins fragments with line breaks.
    package init(joining pieces: some Sequence<HTML>) {
        string = pieces.lazy.map(\.string).joined(separator: "\n")
    }

    /// The content of a built-in style sheet.
    init(style: StaticString) { string = "\(style)" }

    /// Concatenates two fragments.
    package static func + (one: HTML, other: HTML) -> HTML {
        HTML(markup: one.string + other.string)
    }

    /// Builds a fragment, escaping interpolated text.
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

    /// Escapes text for the content of an element or a quoted attribute.
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
