import PackCheck
import PackGround
import PackProfile
import PackRelease
import PackSettings
import PackZip

/// One check of a directory, for 'check', 'publish' and 'report'.
struct CheckRun: Sendable {
    /// The apps for which a build is checked; never empty.
    let profiles: [Profile]
    private(set) var rules: [Rule]
    let options: CheckOptions
    /// The manifest of the deployed release.
    var previous: Manifest?
    var dumpsURLs = false
    /// Whether pages are opened; otherwise the rules about opened pages are inactive.
    var opensPages = false
    /// The maximum number of warnings for success.
    let maxWarnings: Int?

    /// - Parameter select: The rules to run, instead of all that are not ignored.
    init(_ settings: Settings, select: [String] = []) throws {
        profiles = try settings.usableProfiles()
        rules = try RuleSelection.rules(
            select: select, ignore: settings.ignoredRules(selected: select))
        options = settings.checkOptions
        maxWarnings = settings.maxWarnings
    }

    var profileNames: [String] { profiles.map(\.name) }

    /// The inactive rules, whose findings are unknown.
    private var skipped: Set<String> {
        let active = rules.filter { opensPages || $0.group != .engine }
        return Set(RuleCatalog.all.map(\.id)).subtracting(active.map(\.id))
    }

    /// The findings of active rules accepted by a baseline.
    func accepted(by baseline: String) throws -> Baseline {
        let skipped = skipped
        return try Baseline.read(baseline).limited { !skipped.contains($0) }
    }

    /// The findings of inactive rules accepted by a baseline; `nil` if all rules are active or the
    /// baseline is new.
    func untouched(in baseline: String) throws -> Baseline? {
        let skipped = skipped
        let (directory, name) = try ReadableFile.locateExisting(baseline)
        guard !skipped.isEmpty, let status = try directory.status(name), status.kind == .file,
            status.size > 0
        else { return nil }
        return try Baseline.read(baseline).limited { skipped.contains($0) }
    }

    /// The same check limited to some rules, with the same findings for them.
    func limited(to ids: Set<String>) -> CheckRun {
        // The use of an ignore comment depends on every rule.
        guard !ids.contains(UnusedIgnore.id) else { return self }
        var run = self
        run.rules.removeAll { !ids.contains($0.id) }
        return run
    }

    /// Whether the check passes: no errors, and no more warnings than allowed.
    func verdict(of report: Checker.Report) -> CheckVerdict {
        CheckVerdict(report, maxWarnings: maxWarnings)
    }

    /// - Parameter keepsFixes: Whether to keep the safe fixes of findings beyond the limit.
    func report(
        _ directory: Directory, excluding exclusions: Exclusions, _ console: Console,
        keepsFixes: Bool = false
    ) async throws -> Checker.Report {
        let sites = try profiles.map { try site(directory, excluding: exclusions, for: $0) }
        guard let site = sites.first else { throw Failure.buildEmpty(path: directory.path) }
        guard !site.files.isEmpty || !site.refused.isEmpty else {
            throw site.leftOut.excluded.isEmpty
                ? Failure.buildEmpty(path: directory.path)
                : Failure.buildAllExcluded(path: directory.path)
        }
        console.note(site.leftOut)
        return try await report(sites, console, keepsFixes: keepsFixes)
    }

    /// Checks a build that is already scanned and hashed.
    func report(_ scan: BuildScan, _ console: Console) async throws -> Checker.Report {
        try await report(profiles.map { site(scan, for: $0) }, console)
    }

    /// The index of a scanned build for an app.
    func site(_ scan: BuildScan, for profile: Profile) -> SiteIndex {
        SiteIndex(scan: scan, profile: profile, previous: previous, options: options)
    }

    /// Checks a build indexed for each app.
    func report(
        _ sites: [SiteIndex], _ console: Console, keepsFixes: Bool = false
    ) async throws -> Checker.Report {
        // Comments do not suppress findings of opened pages, so they are not idle for them.
        let rules = rules.filter { $0.group != .engine }
        var reports: [Checker.Report] = []
        for site in sites {
            reports.append(
                try await Checker(
                    site: site, rules: rules, dumpsURLs: dumpsURLs || opensPages,
                    keepsFixes: keepsFixes
                ).check(jobs: console.environment.jobs(), progress: console.progress))
        }
        return Checker.Report.merged(reports, of: profileNames)
    }

    /// Provides the files of a build, or of a package unpacked into a temporary directory.
    ///
    /// - Parameter exclusions: The patterns for a build; they do not apply to packages.
    static func withDirectory<Result>(
        _ path: String, excluding exclusions: Exclusions, _ console: Console, writes: Bool,
        _ body: (Directory, Exclusions) async throws -> Result
    ) async throws -> Result {
        try BuildDirectory.refuseRemote(path)
        let (directory, name) = try ReadableFile.locateExisting(path)
        switch try directory.status(name)?.kind {
        case .file:
            if writes { throw Failure.checkFixPackage(path: path) }
            let release = try await PackageFile.release(path, name, in: directory, console)
            return try await TemporaryDirectory.with(console) { target in
                try await Unpacker(name, in: directory, expecting: release)
                    .unpack(
                        into: target, jobs: console.environment.jobs(), progress: console.progress)
                return try await body(target, Exclusions())
            }
        case .other: throw Failure.inputNotARelease(path: path)
        default:
            try BuildDirectory.check(path)
            return try await body(Directory.open(path), exclusions)
        }
    }
}

extension Failure.Code {
    static let checkFixPackage = Self("check.fix-package")
    static let checkNoBaseline = Self("check.no-baseline")
    static let checkMaxWarnings = Self("check.max-warnings")
    static let checkErrors = Self("check.errors")
}

extension Failure {
    /// `--fix` on a package.
    static func checkFixPackage(path: String) -> Failure {
        Failure(
            .checkFixPackage, "'\(path)' is a package, and fixes go into files",
            unaffected: "existing files; nothing was written", exitCode: .usage)
    }

    /// A named baseline that does not exist.
    static func checkNoBaseline(path: String) -> Failure {
        Failure(
            .checkNoBaseline, "there is no baseline '\(path)' yet", details: ["path": path])
    }

    /// A publish with more warnings than `check.max-warnings` allows.
    static func checkMaxWarnings(_ warnings: Int, limit: Int) -> Failure {
        Failure(
            .checkMaxWarnings,
            "the check found \(counted(warnings, "warning")); check.max-warnings is \(grouped(limit))",
            unaffected: "the origin", exitCode: .verification)
    }

    /// A publish rejected by the check.
    ///
    /// - Parameters:
    ///   - remaining: The number of errors left with the proposed settings.
    ///   - proposes: Whether settings were proposed.
    ///   - build: The build on the command line, if any.
    ///   - baseline: The file of accepted findings, if any.
    static func checkErrors(
        _ errors: Int, remaining: Int, proposes: Bool, build: String?, baseline: String?
    ) -> Failure {
        Failure(
            .checkErrors, "the check found \(counted(errors, "error")), and nothing was published",
            unaffected: "the origin", exitCode: .verification,
            details: [
                "errors": "\(errors)", "remaining": remaining > 0 ? "\(remaining)" : "",
                "proposes": proposes ? "true" : "",
                "build": build.map { shellWord($0) + " " } ?? "",
                "accepts": baseline == nil ? "" : "true",
                "baseline": shellWord(baseline ?? SettingKey.checkBaseline.example),
            ])
    }
}

extension Baseline {
    /// Reads the accepted findings of a project.
    static func read(_ path: String) throws -> Baseline {
        let (directory, name) = try ReadableFile.locate(path)
        guard try directory.status(name) != nil else { throw Failure.checkNoBaseline(path: path) }
        CurrentFile.begin(path)
        defer { CurrentFile.end() }
        return try Baseline(ReadableFile.read(path, limit: sizeLimit), path: path)
    }

    /// Removes the accepted findings from a report, and prints their number.
    func accept(in report: inout Checker.Report, _ console: Console) {
        for old in oldRules.sorted() {
            guard let new = RuleCatalog.renamed[old] else { continue }
            console.note("the baseline: \(RenamedWords.note(old, new))")
        }
        let (kept, count, gone) = apply(to: report.findings)
        report.findings = kept
        console.note(
            "\(counted(count, "finding")) accepted by the baseline"
                + (gone > 0
                    ? "; \(counted(gone, "accepted finding")) \(gone == 1 ? "is" : "are") gone, "
                        + "--update-baseline removes \(gone == 1 ? "it" : "them")" : ""))
    }
}
