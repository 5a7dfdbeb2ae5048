import PackCheck
import PackGround
import PackSettings

/// The reason for a rejected publish: its errors by cause, each with a way to resolve it.
struct RefusalText {
    private let findings: [Finding]
    private let proposal: [String]
    /// The errors left with the proposed settings.
    private let remaining: [Finding]
    private let keys: Set<String>

    /// The maximum number of shown causes.
    private static let limit = 5
    /// The maximum number of shown notes of a cause.
    private static let mostNotes = 4

    init(_ report: Checker.Report, _ search: ProposalSearch, _ settings: Settings) {
        findings = report.findings.filter { $0.severity == .error }
        proposal = settings.lines(of: search.proposed)
        keys = Set(search.proposed.keys.map(\.rawValue))
        remaining = search.report.findings.filter { $0.severity == .error }
    }

    var text: Text {
        // Errors with the most locations first.
        let ordered = findings.enumerated().sorted {
            let (one, other) = ($0.element.placeCount, $1.element.placeCount)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element)
        var lines: [String] = []
        var notes = FindingNotes(limit: Self.mostNotes, keys: keys)
        for finding in ordered.prefix(Self.limit) {
            lines += Self.block(finding, notes.lines(of: finding))
        }
        let rest = ordered.dropFirst(Self.limit)
        if !rest.isEmpty {
            let ids = Set(rest.map(\.rule)).sorted().joined(separator: ", ")
            lines.append("… and \(counted(rest.count, "more error")): \(ids)")
        }
        if !proposal.isEmpty {
            lines += [""] + proposal + [""]
            if !remaining.isEmpty {
                let ids = Set(remaining.map(\.rule)).sorted().joined(separator: ", ")
                lines += [
                    "with these settings, \(counted(remaining.count, "error")) remain"
                        + "\(remaining.count == 1 ? "s" : ""): \(ids)", "",
                ]
            }
        }
        return Text(lines: lines)
    }

    /// The lines of a finding.
    static func block(_ finding: Finding, _ notes: [String]) -> [String] {
        let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        let others =
            finding.placeCount > 1
            ? " and \(counted(finding.placeCount - 1, "other place"))" : ""
        return [
            "error[\(finding.rule)]: \(finding.summary)", "  --> \(finding.path)\(place)\(others)",
        ] + notes.map { "  = \($0)" }
    }
}
