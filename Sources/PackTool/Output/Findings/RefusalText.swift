import PackCore

/// Why a publish was refused: the errors by their cause, each with what ends it.
struct RefusalText {
    private let findings: [Finding]

    /// The most causes that are shown.
    private static let limit = 5
    /// The most notes of a cause that are shown.
    private static let mostNotes = 4

    init(_ report: Checker.Report) {
        findings = report.findings.filter { $0.severity == .error }
    }

    var text: Text {
        // What is wrong in many places comes first.
        let ordered = findings.enumerated().sorted {
            let (one, other) = ($0.element.placeCount, $1.element.placeCount)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element)
        var lines: [String] = []
        for finding in ordered.prefix(Self.limit) { lines += Self.block(finding) }
        let rest = ordered.dropFirst(Self.limit)
        if !rest.isEmpty {
            let ids = Set(rest.map(\.rule)).sorted().joined(separator: ", ")
            lines.append("… and \(counted(rest.count, "more error")): \(ids)")
        }
        return Text(lines: lines)
    }

    private static func block(_ finding: Finding) -> [String] {
        let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        let others =
            finding.placeCount > 1
            ? " and \(counted(finding.placeCount - 1, "other place"))" : ""
        var lines = [
            "error[\(finding.rule)]: \(finding.summary)", "  --> \(finding.path)\(place)\(others)",
        ]
        lines += finding.notes.prefix(mostNotes).map { "  = \($0)" }
        if let fix = finding.fix {
            lines.append("  = \(FindingsText.fixText(fix))")
        } else if let advice = RuleCatalog.rule(finding.rule)?.explanation.instead {
            lines.append("  = fix: \(advice)")
        }
        if let setting = finding.setting {
            lines.append("  = \(FindingsText.settingText(setting))")
        }
        return lines
    }
}
