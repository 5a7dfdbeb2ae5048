import PackGround

/// A workflow command of GitHub Actions: a single line.
struct GitHubCommand {
    /// GitHub shows ten annotations of a level for each step and silently drops the others:
    /// [limits](https://docs.github.com/en/rest/checks/runs#annotations).
    static let limit = 10

    let line: String

    /// - Parameter lines: The lines of the message.
    init(_ word: String, _ properties: [(name: String, value: String)], _ lines: [String]) {
        let given = properties.map { "\($0.name)=\(Self.property($0.value))" }
            .joined(separator: ",")
        line =
            "::\(word)\(given.isEmpty ? "" : " ")\(given)::"
            + lines.map(Self.data).joined(separator: "%0A")
    }

    /// Percent-encodes text as decoded by commands (actions/toolkit, `escapeData`), and escapes
    /// anything that could end a command or start another.
    private static func data(_ text: String) -> String {
        LogCommand.defused(printable(text.utf8), hash: "\\x23").putting("%25", for: "%")
    }

    /// Percent-encodes a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).putting("%3A", for: ":").putting("%2C", for: ",")
    }
}
