import PackGround

/// A command of GitHub Actions: one line.
struct GitHubCommand {
    /// GitHub shows ten annotations of a level for each step and drops the others silently:
    /// [limits](https://docs.github.com/en/rest/checks/runs#annotations).
    static let limit = 10

    let line: String

    /// - Parameter lines: The message's lines.
    init(_ word: String, _ properties: [(name: String, value: String)], _ lines: [String]) {
        let given = properties.map { "\($0.name)=\(Self.property($0.value))" }
            .joined(separator: ",")
        line =
            "::\(word)\(given.isEmpty ? "" : " ")\(given)::"
            + lines.map(Self.data).joined(separator: "%0A")
    }

    /// Percent-encodes what a command decodes (actions/toolkit, `escapeData`); what would end one, or begin another,
    /// is escaped.
    private static func data(_ text: String) -> String {
        LogCommand.defused(printable(text.utf8), hash: "\\x23").putting("%25", for: "%")
    }

    /// The same within a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).putting("%3A", for: ":").putting("%2C", for: ",")
    }
}
