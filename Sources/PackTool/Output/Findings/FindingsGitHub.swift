import PackCore

/// Findings as annotations of GitHub Actions, one line each, and a line with the counts.
///
/// GitHub shows ten annotations of a level for each step and drops the others silently:
/// [limits](https://docs.github.com/en/rest/checks/runs#annotations).
enum FindingsGitHub {
    /// The most annotations of a level.
    static let limit = 10

    static func text(_ shown: ShownFindings) -> Text {
        var lines: [String] = []
        var left: [Severity: Int] = [:]
        var dropped = 0
        for finding in shown.findings {
            left[finding.severity, default: 0] += 1
            if left[finding.severity, default: 0] > limit {
                dropped += finding.count
            } else {
                lines.append(line(finding, shown))
            }
        }
        let rest = dropped > 0 ? "; \(counted(dropped, "finding")) not annotated here" : ""
        lines.append(
            "::notice title=packtool check::"
                + data("\(shown.summary)\(rest); 'packtool check' shows all of them"))
        return Text(lines: lines)
    }

    private static func line(_ finding: Finding, _ shown: ShownFindings) -> String {
        let word =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .hint: "notice"
            }
        var properties = ["file=\(property(shown.path(finding)))"]
        if let place = finding.place {
            properties += ["line=\(place.line)", "col=\(place.codePointColumn)"]
        }
        properties.append("title=\(property("packtool " + finding.rule))")
        let message = ([finding.summary] + finding.notes).map(data).joined(separator: "%0A")
        return "::\(word) \(properties.joined(separator: ","))::\(message)"
    }

    /// Percent-encodes what a command decodes (actions/toolkit, `escapeData`); what would end one is escaped.
    private static func data(_ text: String) -> String {
        printable(text.utf8).putting("%25", for: "%")
    }

    /// The same within a property (`escapeProperty`).
    private static func property(_ text: String) -> String {
        data(text).putting("%3A", for: ":").putting("%2C", for: ",")
    }
}
