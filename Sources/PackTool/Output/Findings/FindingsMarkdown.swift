import PackCore

/// Findings as Markdown, for a comment on a change.
enum FindingsMarkdown {
    static func text(_ report: Checker.Report) -> Text {
        var lines = [
            "## packtool check", "",
            "\(counted(report.count(.error), "error")), \(counted(report.count(.warning), "warning")), \(counted(report.count(.hint), "hint")) in \(counted(report.files, "file"))",
        ]
        guard !report.findings.isEmpty else { return Text(lines: lines) }
        lines += ["", "| | rule | place | finding |", "|---|---|---|---|"]
        for finding in report.findings {
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            lines.append(
                "| \(finding.severity.rawValue) | \(finding.rule) | `\(code(finding.path + place))` | \(cell(finding.summary)) |"
            )
        }
        return Text(lines: lines)
    }

    /// Text in a table: no tag, no link, no image.
    private static func cell(_ text: String) -> String {
        printable(text.utf8).putting("\\\\", for: "\\").putting("\\|", for: "|")
            .putting("\\[", for: "[").putting("'", for: "`").putting("&lt;", for: "<")
    }

    /// Text between backticks, where only a backtick and the table's bars count.
    private static func code(_ text: String) -> String {
        printable(text.utf8).putting("\\|", for: "|").putting("'", for: "`")
    }
}
