import PackCore

/// Findings for people: the line with a caret, as a good compiler shows it.
struct FindingsText {
    let report: Checker.Report
    /// Whether advice is shown, not only counted.
    let showsHints: Bool

    /// The same thing in many places is shown this often.
    private static let mostAlike = 5

    var text: Text {
        var blocks: [[String]] = []
        var shown: [String: Int] = [:]
        var more: [String: Int] = [:]
        var rest: [String] = []
        for finding in report.findings where showsHints || finding.severity > .hint {
            if let count = finding.leftOut {
                rest.append(
                    "… and \(counted(count, "more finding")) of \(finding.rule) in "
                        + (finding.path == "." ? "the build" : finding.path))
                continue
            }
            let key = finding.rule + " " + finding.message
            shown[key, default: 0] += 1
            if shown[key, default: 0] > Self.mostAlike {
                more[finding.rule, default: 0] += 1
            } else {
                blocks.append(Self.block(finding))
            }
        }
        for (rule, count) in more.sorted(by: { $0.key < $1.key }) {
            blocks.append(["… and \(counted(count, "more finding")) of \(rule) like those above"])
        }
        blocks += rest.map { [$0] } + [summary]
        return Text(lines: blocks.joined(separator: [""]))
    }

    /// The lines that show a finding.
    static func block(_ finding: Finding) -> [String] {
        var lines = ["\(finding.severity.rawValue)[\(finding.rule)]: \(finding.summary)"]
        if let place = finding.place {
            let number = String(place.line)
            let margin = String(repeating: " ", count: number.count)
            lines.append("\(margin)--> \(finding.path):\(place.line):\(place.column)")
            lines.append("\(margin) |")
            lines.append("\(number) | \(place.excerpt)")
            lines.append(
                "\(margin) | " + String(repeating: " ", count: place.caret)
                    + String(repeating: "^", count: place.caretLength))
            lines += finding.notes.map { "\(margin) = \($0)" }
            if let setting = finding.setting { lines.append("\(margin) = \(settingText(setting))") }
            if let fix = finding.fix { lines.append("\(margin) = \(fixText(fix))") }
        } else {
            lines.append(" --> \(finding.path)")
            lines += finding.notes.map { "  = \($0)" }
            if let setting = finding.setting { lines.append("  = \(settingText(setting))") }
            if let fix = finding.fix { lines.append("  = \(fixText(fix))") }
        }
        return lines
    }

    static func settingText(_ setting: SettingProposal) -> String {
        "if that is meant, in packtool.yaml: \(setting.text)"
    }

    static func fixText(_ fix: Fix) -> String {
        fix.safety == .safe
            ? "fix (packtool check --fix): \(fix.summary)" : "possible fix: \(fix.summary)"
    }

    /// The last lines: how much of what.
    private var summary: [String] {
        let hints = report.count(.hint)
        var parts = [
            counted(report.count(.error), "error"), counted(report.count(.warning), "warning"),
        ]
        if hints > 0 {
            parts.append(counted(hints, "hint") + (showsHints ? "" : " (shown by --hints)"))
        }
        var text =
            parts.joined(separator: ", ")
            + " in \(counted(report.files, "file")), \(readableSize(report.size))"
        if report.ignored > 0 {
            text += "; \(counted(report.ignored, "finding")) ignored by comments"
        }
        if let rule = report.findings.first(where: { $0.severity > .hint })?.rule {
            return [text, "explained by 'packtool rules \(rule)'"]
        }
        return [text]
    }
}
