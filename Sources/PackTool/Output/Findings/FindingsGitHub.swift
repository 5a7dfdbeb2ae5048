import PackCheck
import PackGround

/// Findings as annotations of GitHub Actions, one line each, and a line with the counts.
enum FindingsGitHub {
    static func text(_ shown: ShownFindings) -> Text {
        var commands: [GitHubCommand] = []
        var left: [Severity: Int] = [:]
        var dropped = 0
        for finding in shown.findings {
            left[finding.severity, default: 0] += 1
            // The line with the counts is also a notice.
            let limit = GitHubCommand.limit - (finding.severity == .hint ? 1 : 0)
            if left[finding.severity, default: 0] > limit {
                dropped += finding.count
            } else {
                commands.append(command(finding, shown))
            }
        }
        let rest = dropped > 0 ? "; \(counted(dropped, "finding")) not annotated here" : ""
        commands.append(
            GitHubCommand(
                "notice", [("title", "packtool check")],
                ["\(shown.summary)\(rest); 'packtool check' shows all of them"]))
        return Text(commands: commands)
    }

    private static func command(_ finding: Finding, _ shown: ShownFindings) -> GitHubCommand {
        let word =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .hint: "notice"
            }
        var properties = [(name: "file", value: shown.path(finding))]
        if let place = finding.place {
            properties += [("line", "\(place.line)"), ("col", "\(place.codePointColumn)")]
        }
        properties.append(("title", "packtool \(finding.rule)"))
        return GitHubCommand(word, properties, [finding.summary] + finding.notes)
    }
}
