import PackCheck
import PackEngine
import PackGround
import PackProfile

extension CheckRun {
    /// Opens the pages of a checked build, and merges the findings.
    ///
    /// - Parameter report: A report with every reference.
    func opening(
        _ report: Checker.Report, of site: SiteIndex, _ request: EngineRun.Request,
        _ console: Console
    ) async throws -> (report: Checker.Report, outcome: EngineRun.Outcome) {
        let engine = try EngineRun(site, request, console.environment)
        let outcome = try await TemporaryDirectory.with(console) { try engine.run(in: $0) }
        if let problem = outcome.problem { console.note("not all pages were opened: \(problem)") }
        let found = EngineFindings(outcome.visits, Handler(site.resolver)).items
            .filter { item in rules.contains { $0.id == item.finding.rule } }
        var merged = report
        let name = site.profile.name
        merged.findings = report.merging(name) { findings, urls in
            EngineMerge(outcome.visits, references: urls).merged(findings, found)
        }
        merged.opened = OpenedPages(
            engine: outcome.engine,
            pages: outcome.visits.map { visit in
                .init(
                    url: visit.url, file: visit.file, seconds: visit.seconds,
                    firstPaint: visit.screen?.firstPaint, isStopped: visit.stop != nil)
            }, left: outcome.left, seconds: outcome.seconds)
        return (merged, outcome)
    }

    /// The app whose pages are opened: WebKit opens pages as iOS does.
    ///
    /// - Throws: ``Failure`` if there is none.
    func openedProfile() throws -> Profile {
        guard let profile = profiles.first(where: { $0.platform == .ios }) else {
            throw Failure.engineAndroid()
        }
        return profile
    }

    /// The index of a build directory for an app.
    func site(
        _ directory: Directory, excluding exclusions: Exclusions, for profile: Profile
    ) throws -> SiteIndex {
        try SiteIndex(
            directory: directory, excluding: exclusions, profile: profile, previous: previous,
            options: options)
    }
}
