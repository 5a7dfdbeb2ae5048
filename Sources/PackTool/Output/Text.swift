import PackGround

/// Lines of text for a terminal or a log.
///
/// String literals stay unchanged; interpolated values are escaped (``printable(_:)``), so that a
/// label, a name or an argument cannot contain control characters, change the text direction, start
/// a line, or be a command for a CI service. The ``Console`` therefore only prints `Text`.
struct Text: ExpressibleByStringInterpolation, Sendable {
    /// Contains no control characters except line breaks from literals.
    let string: String

    init(stringLiteral string: String) { self.string = string }

    init(stringInterpolation: StringInterpolation) {
        string = stringInterpolation.string.split(separator: "\n", omittingEmptySubsequences: false)
            .map { LogCommand.defused(line: String($0)) }.joined(separator: "\n")
    }

    /// A single line.
    init(_ line: String) { string = Self.harmless(line) }

    /// Several lines; a line break inside one is escaped.
    init(lines: some Sequence<String>) {
        string = lines.lazy.map(Self.harmless).joined(separator: "\n")
    }

    /// Commands for GitHub Actions, one per line.
    init(commands: some Sequence<GitHubCommand>) {
        string = commands.lazy.map { printable($0.line.utf8) }.joined(separator: "\n")
    }

    /// Joins texts with a separator.
    init(joining texts: some Sequence<Text>, with separator: Text) {
        string = texts.lazy.map(\.string).joined(separator: separator.string)
    }

    private init(escaped string: String) { self.string = string }

    private static func harmless(_ line: String) -> String {
        LogCommand.defused(line: printable(line.utf8))
    }

    static func + (one: Text, other: Text) -> Text { Text(escaped: one.string + other.string) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var string = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            string.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { string += literal }

        mutating func appendInterpolation(_ text: Text) { string += text.string }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            string += printable(value.description.utf8)
        }
    }
}
