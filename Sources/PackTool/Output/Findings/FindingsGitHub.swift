import PackCore

/// Findings as annotations of GitHub Actions, one line each, and a line with the counts.
enum FindingsGitHub {
    static func text(_ shown: ShownFindings) -> Text {
        var lines: [String] = []
        var left: [Severity: Int] = [:]
        var dropped = 0
        for finding in shown.findings {
            left[finding.severity, default: 0] += 1
            // The line with the counts is a notice, too.
            let limit = GitHubCommand.limit - (finding.severity == .hint ? 1 : 0)
            if left[finding.severity, default: 0] > limit {
                dropped += finding.count
            } else {
                lines.append(line(finding, shown))
            }
        }
        let rest = dropped > 0 ? "; \(counted(dropped, "finding")) not annotated here" : ""
        lines.append(
            GitHubCommand.line(
                "notice", [("title", "packtool check")],
                ["\(shown.summary)\(rest); 'packtool check' shows all of them"]))
        return Text(lines: lines)
    }

    private static func line(_ finding: Finding, _ shown: ShownFindings) -> String {
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
        return GitHubCommand.line(word, properties, [finding.summary] + finding.notes)
    }
}
