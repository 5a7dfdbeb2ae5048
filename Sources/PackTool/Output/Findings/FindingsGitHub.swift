import PackCore

/// Findings as annotations of GitHub Actions, one line each.
enum FindingsGitHub {
    static func text(_ report: Checker.Report) -> Text {
        let lines = report.findings.map { finding in
            let word =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .hint: "notice"
                }
            var properties = ["file=\(property(finding.path))"]
            if let place = finding.place {
                properties += ["line=\(place.line)", "col=\(place.column)"]
            }
            properties.append("title=\(property("packtool " + finding.rule))")
            let message = ([finding.summary] + finding.notes).map(data).joined(separator: "%0A")
            return "::\(word) \(properties.joined(separator: ","))::\(message)"
        }
        return Text(lines: lines)
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
