import PackGround

/// Lines for a person, on a terminal or in a log.
///
/// What the source code spells out stays as it is; what is put into it is escaped (``printable(_:)``): a
/// label, a name or an argument has no control characters there, changes no direction, begins no line and is no
/// command to the service that runs a pipeline. So everything the ``Console`` prints is a `Text`.
struct Text: ExpressibleByStringInterpolation, Sendable {
    /// Holds no control characters but the line breaks of ours.
    let string: String

    init(stringLiteral string: String) { self.string = string }

    init(stringInterpolation: StringInterpolation) {
        string = stringInterpolation.string.split(separator: "\n", omittingEmptySubsequences: false)
            .map { LogCommand.defused(line: String($0)) }.joined(separator: "\n")
    }

    /// A single line.
    init(_ line: String) { string = Self.harmless(line) }

    /// Several, each of which stays one.
    init(lines: some Sequence<String>) {
        string = lines.lazy.map(Self.harmless).joined(separator: "\n")
    }

    /// Commands to GitHub Actions, one in a line.
    init(commands: some Sequence<GitHubCommand>) {
        string = commands.lazy.map { printable($0.line.utf8) }.joined(separator: "\n")
    }

    /// Texts with the separator between two of them.
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
