import PackCheck
import PackGround
import PackReport

/// Findings as Markdown for a comment on a change.
enum FindingsMarkdown {
    /// The maximum number of code points: GitHub allows 65,536 in a comment, which may contain more
    /// than the findings.
    static let limit = 60_000

    /// - Parameters:
    ///   - maxWarnings: The maximum number of warnings for success; `nil` for any number.
    ///   - mostRows: The maximum number of findings; 0 or `nil` for as many as fit.
    static func text(
        _ shown: ShownFindings, maxWarnings: Int?, limit mostRows: Int? = nil
    ) -> Text {
        let verdict = CheckVerdict(shown.report, maxWarnings: maxWarnings)
        var lines = ["## packtool check", "", "**\(verdict.text)**"]
        let hints = shown.report.count(.hint)
        let checked = [
            "",
            "Checked \(counted(shown.report.files, "file"))"
                + (hints > 0 ? "; \(counted(hints, "hint"))" : "") + ".",
        ]
        guard !shown.findings.isEmpty else { return Text(lines: lines + checked) }
        lines += ["", "| | rule | location | finding |", "|---|---|---|---|"]
        var length = lines.reduce(0) { $0 + $1.count + 1 }
        for (index, finding) in shown.findings.enumerated() {
            let row = row(finding, shown)
            let more = counted(shown.findings.count - index, "more finding")
            // Reserve space for the last lines.
            guard length + row.unicodeScalars.count + 1 <= limit - 200,
                mostRows ?? 0 == 0 || index < mostRows ?? 0
            else {
                lines += ["", "… and \(more); `packtool check` shows all of them"]
                break
            }
            length += row.unicodeScalars.count + 1
            lines.append(row)
        }
        return Text(lines: lines + checked)
    }

    private static func row(_ finding: Finding, _ shown: ShownFindings) -> String {
        let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        return
            "| \(finding.severity.rawValue) | \(finding.rule) | \(Markdown.codeCell(shown.path(finding) + place)) | "
            + "\(Markdown.cell(finding.summary)) |"
    }
}
