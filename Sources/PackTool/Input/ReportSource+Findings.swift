import PackCheck
import PackEngine
import PackReport
import PackSettings

/// The results of the check, as shown by a report.
extension ReportSource {
    /// Checks the new release.
    func check(_ new: Build, _ old: Old?, opensPages: Bool) async throws -> Checker.Report {
        try await run(after: old, opensPages: opensPages).report(new.scan, console)
    }

    /// Opens the pages of both releases, and merges the findings of the new one.
    func open(
        _ new: Build, _ old: Old?, _ checked: Checker.Report, _ request: EngineRun.Request,
        _ report: inout ReleaseReport
    ) async throws -> Checker.Report {
        let run = try run(after: old, opensPages: true)
        var request = request
        request.keepsPictures = true
        let site = run.site(new.scan, for: try run.openedProfile())
        let (merged, outcome) = try await run.opening(checked, of: site, request, console)
        var before: EngineRun.Outcome?
        if let site = old?.site {
            let engine = try EngineRun(
                site(run, run.openedProfile()), request, console.environment)
            before = try await TemporaryDirectory.with(console) { try engine.run(in: $0) }
        }
        report.pages = Self.pages(outcome, before)
        report.opened = merged.opened.map { FindingsText.text(of: $0) + "." }
        return merged
    }

    private static func pages(
        _ outcome: EngineRun.Outcome, _ before: EngineRun.Outcome?
    ) -> [ReleaseReport.Page] {
        var old: [String: [UInt8]] = [:]
        for (index, visit) in (before?.visits ?? []).enumerated() {
            old[visit.url] = before?.pictures[index]
        }
        return outcome.visits.enumerated().map { index, visit in
            let paint = visit.screen?.firstPaint.map { "first content after \($0) ms" }
            return ReleaseReport.Page(
                name: visit.file ?? visit.url, note: visit.stop?.text ?? paint ?? "opened",
                picture: outcome.pictures[index], oldPicture: old[visit.url])
        }
    }

    // The next four functions are synchronous on purpose: as part of their async callers, this code
    // crashes the optimizer of Swift 6.2 (signal 11) while it splits these functions.

    private func run(after old: Old?, opensPages: Bool) throws -> CheckRun {
        var run = try CheckRun(settings)
        run.previous = old?.manifest
        run.opensPages = opensPages
        return run
    }

    func accepting(_ checked: Checker.Report) throws -> Checker.Report {
        var run = try CheckRun(settings)
        run.opensPages = engine != nil
        guard let baseline = try settings.baseline.map(run.accepted(by:)) else { return checked }
        var kept = checked
        baseline.accept(in: &kept, console)
        return kept
    }

    func judge(_ checked: Checker.Report, _ report: inout ReleaseReport) throws {
        let verdict = try CheckRun(settings).verdict(of: checked)
        report.verdict = verdict.text
        report.isReady = verdict.isReady
    }

    private func compared(
        _ checked: Checker.Report, with before: Checker.Report
    ) -> [ReleaseReport.Findings] {
        Self.groups(
            checked.findings, new: Baseline(of: before.findings).apply(to: checked.findings).kept)
    }

    /// Groups the findings by rule, and marks those not in the old release as new.
    func groups(
        _ checked: Checker.Report, _ old: Old?
    ) async throws -> [ReleaseReport.Findings] {
        // Without findings, none can be new.
        guard let site = old?.site, !checked.findings.isEmpty else {
            return Self.groups(checked.findings, new: nil)
        }
        let run = try CheckRun(settings).limited(to: Set(checked.findings.map(\.rule)))
        return compared(
            checked, with: try await run.report(run.profiles.map { site(run, $0) }, console))
    }

    /// The maximum number of shown findings of a rule.
    private static let mostExamples = 8

    private static func groups(
        _ findings: [Finding], new: [Finding]?
    ) -> [ReleaseReport.Findings] {
        let settings = ProposedSettings(findings)
        return FindingsSummary(findings).rows.map { row in
            let isOfRow = { (finding: Finding) in
                finding.rule == row.rule && finding.severity == row.severity
            }
            let fresh = new?.filter(isOfRow) ?? []
            let locations = Set(fresh.map(location))
            let all = findings.filter { isOfRow($0) && $0.leftOut == nil }
            // New ones first.
            let ordered =
                all.filter { locations.contains(location($0)) }
                + all.filter { !locations.contains(location($0)) }
            return .init(
                severity: row.severity.rawValue, rule: row.rule, title: row.about,
                count: row.findings, new: new.map { _ in fresh.reduce(0) { $0 + $1.count } },
                examples: ordered.prefix(mostExamples).map {
                    example($0, locations.contains(location($0)), settings)
                })
        }
    }

    private static func location(_ finding: Finding) -> String {
        let location = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
        return (finding.path == "." ? "the build" : finding.path) + location
    }

    private static func example(
        _ finding: Finding, _ isNew: Bool, _ settings: ProposedSettings
    ) -> ReleaseReport.Findings.Example {
        var notes = finding.notes
        if let fix = finding.fix { notes.append(FindingsText.fixText(fix)) }
        if let setting = finding.setting {
            notes.append(FindingsText.settingText(setting, settings))
        }
        let excerpt = finding.place.map {
            location -> (before: String, marked: String, after: String) in
            let text = location.excerpt
            let start =
                text.index(text.startIndex, offsetBy: location.caret, limitedBy: text.endIndex)
                ?? text.endIndex
            let end =
                text.index(start, offsetBy: location.caretLength, limitedBy: text.endIndex)
                ?? text.endIndex
            return (String(text[..<start]), String(text[start..<end]), String(text[end...]))
        }
        return .init(
            location: location(finding),
            message: finding.summary, excerpt: excerpt, notes: notes, isNew: isNew)
    }
}
