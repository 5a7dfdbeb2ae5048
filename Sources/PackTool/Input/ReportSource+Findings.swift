import PackCore
import PackReport
import PackSettings

/// What the check says, as a report shows it.
extension ReportSource {
    func findings(
        _ new: Build, _ old: Old?
    ) async throws -> [ReleaseReport.Findings] {
        var run = try CheckRun(settings)
        run.previous = old?.manifest
        var checked = try await run.report(new.scan, console)
        if let baseline = try settings.baseline.map(Baseline.read) {
            baseline.accept(in: &checked, console)
        }
        guard let site = old?.site else { return Self.groups(checked.findings, new: nil) }
        // Where there are no findings, none can be new.
        if checked.findings.isEmpty { return [] }
        let plain = try CheckRun(settings)
        let before = try await plain.report(site(plain), console)
        return Self.groups(
            checked.findings, new: Baseline(of: before.findings).apply(to: checked.findings).kept)
    }

    /// The most findings of a rule that are shown.
    private static let mostExamples = 8

    private static func groups(
        _ findings: [Finding], new: [Finding]?
    ) -> [ReleaseReport.Findings] {
        FindingsSummary(findings).rows.map { row in
            let isOfRow = { (finding: Finding) in
                finding.rule == row.rule && finding.severity == row.severity
            }
            let fresh = new?.filter(isOfRow) ?? []
            let places = Set(fresh.map(place))
            let all = findings.filter { isOfRow($0) && $0.leftOut == nil }
            // New ones first.
            let ordered =
                all.filter { places.contains(place($0)) }
                + all.filter { !places.contains(place($0)) }
            return .init(
                severity: row.severity.rawValue, rule: row.rule, title: row.about,
                count: row.findings, new: new.map { _ in fresh.reduce(0) { $0 + $1.count } },
                examples: ordered.prefix(mostExamples).map {
                    example($0, places.contains(place($0)))
                })
        }
    }

    private static func place(_ finding: Finding) -> String {
        let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        return (finding.path == "." ? "the build" : finding.path) + place
    }

    private static func example(
        _ finding: Finding, _ isNew: Bool
    ) -> ReleaseReport.Findings.Example {
        var notes = finding.notes
        if let fix = finding.fix { notes.append(FindingsText.fixText(fix)) }
        if let setting = finding.setting { notes.append(FindingsText.settingText(setting)) }
        let excerpt = finding.place.map {
            place -> (before: String, marked: String, after: String) in
            let text = place.excerpt
            let start =
                text.index(text.startIndex, offsetBy: place.caret, limitedBy: text.endIndex)
                ?? text.endIndex
            let end =
                text.index(start, offsetBy: place.caretLength, limitedBy: text.endIndex)
                ?? text.endIndex
            return (String(text[..<start]), String(text[start..<end]), String(text[end...]))
        }
        return .init(
            place: place(finding),
            message: finding.summary, excerpt: excerpt, notes: notes, isNew: isNew)
    }
}
