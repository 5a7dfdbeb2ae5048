import PackCheck
import PackGround
import PackSettings

/// Why a publish was refused: the errors by their cause, each with what ends it.
struct RefusalText {
    private let findings: [Finding]
    private let proposal: [String]

    /// The most causes that are shown.
    private static let limit = 5
    /// The most notes of a cause that are shown.
    private static let mostNotes = 4

    init(_ report: Checker.Report, _ settings: Settings) {
        findings = report.findings.filter { $0.severity == .error }
        proposal = settings.proposal(for: findings)
    }

    /// Whether settings are proposed that accept errors.
    var proposes: Bool { !proposal.isEmpty }

    var text: Text {
        // What is wrong in many places comes first.
        let ordered = findings.enumerated().sorted {
            let (one, other) = ($0.element.placeCount, $1.element.placeCount)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element)
        var lines: [String] = []
        var notes = FindingNotes(limit: Self.mostNotes)
        for finding in ordered.prefix(Self.limit) {
            lines += Self.block(finding, notes.lines(of: finding))
        }
        let rest = ordered.dropFirst(Self.limit)
        if !rest.isEmpty {
            let ids = Set(rest.map(\.rule)).sorted().joined(separator: ", ")
            lines.append("… and \(counted(rest.count, "more error")): \(ids)")
        }
        if !proposal.isEmpty { lines += [""] + proposal + [""] }
        return Text(lines: lines)
    }

    private static func block(_ finding: Finding, _ notes: [String]) -> [String] {
        let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        let others =
            finding.placeCount > 1
            ? " and \(counted(finding.placeCount - 1, "other place"))" : ""
        return [
            "error[\(finding.rule)]: \(finding.summary)", "  --> \(finding.path)\(place)\(others)",
        ] + notes.map { "  = \($0)" }
    }
}
