/// Commands that CI services execute when they appear in a log.
///
/// GitHub Actions executes `::error::text` at the start of a line and `##[error]text` anywhere,
/// Azure Pipelines `##vso[task.setvariable …]`, TeamCity `##teamcity[…]`. A file name could
/// therefore set an output or stop all later commands
/// ([ActionCommand.cs](https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)).
enum LogCommand {
    /// Escapes all commands in a line.
    static func defused(line: String) -> String {
        let line = defused(line, hash: "\\x23")
        let start = line.unicodeScalars.drop { Character($0).isWhitespace }
        guard start.starts(with: "::".unicodeScalars) else { return line }
        return String(line[..<start.startIndex]) + "\\x3A" + String(start.dropFirst())
    }

    /// Escapes commands that are valid anywhere in a line.
    ///
    /// - Parameter hash: The replacement of a command's first character.
    static func defused(_ text: String, hash: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return text }
        let scalars = text.unicodeScalars
        var result = ""
        var index = scalars.startIndex
        while index < scalars.endIndex {
            if begins(scalars[index...]) {
                result += hash
            } else {
                result.unicodeScalars.append(scalars[index])
            }
            index = scalars.index(after: index)
        }
        return result
    }

    /// Whether a text starts with `##`, optional letters, and a bracket.
    private static func begins(_ text: Substring.UnicodeScalarView) -> Bool {
        guard text.starts(with: "##".unicodeScalars) else { return false }
        // Longer than the names of all services.
        let name = text.dropFirst(2).prefix(20).prefix {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0)
        }
        return text[name.endIndex...].first == "["
    }
}
