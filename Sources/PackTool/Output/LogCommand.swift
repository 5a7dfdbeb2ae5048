/// What services that run pipelines obey when they find it in the log of a step.
///
/// GitHub Actions takes `::error::text` at the start of a line and `##[error]text` anywhere in one, Azure Pipelines
/// `##vso[task.setvariable …]`, TeamCity `##teamcity[…]`: the name of a file could set an output or stop every
/// later command ([ActionCommand.cs](https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)).
enum LogCommand {
    /// A line in which nothing is a command.
    static func defused(line: String) -> String {
        let line = defused(line, hash: "\\x23")
        let start = line.unicodeScalars.drop { Character($0).isWhitespace }
        guard start.starts(with: "::".unicodeScalars) else { return line }
        return String(line[..<start.startIndex]) + "\\x3A" + String(start.dropFirst())
    }

    /// A text without the commands that may be anywhere in a line.
    ///
    /// - Parameter hash: takes the place of a command's first character.
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

    /// Whether a text begins with `##`, letters or none, and a bracket.
    private static func begins(_ text: Substring.UnicodeScalarView) -> Bool {
        guard text.starts(with: "##".unicodeScalars) else { return false }
        // No service has a longer name.
        let name = text.dropFirst(2).prefix(20).prefix {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0)
        }
        return text[name.endIndex...].first == "["
    }
}
