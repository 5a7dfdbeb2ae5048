import PackCheck
import PackGround
import PackProfile
import PackSettings
import PackURL

/// The settings derived from a check of a build before any configuration.
struct BuildSurvey {
    /// Settings determined by the build, which are written to the file.
    private(set) var decided = Configuration()
    /// Settings that only the project's owner can decide, which are written as comments.
    var proposed: Configuration { owners.values }
    private var owners = ProposedSettings([])
    /// Explanations by key.
    private(set) var notes: [SettingKey: [String]] = [:]
    private(set) var errors = 0
    private(set) var warnings = 0

    /// Files in a build by accident or for a web server.
    private static let leftoverRules: Set = [
        "sourcemap-shipped", "precompressed-in-package", "dotfile",
    ]

    /// Checks a build, and again with the settings found.
    ///
    /// - Parameter given: The settings of the user and the project, which take precedence.
    init(_ build: Directory, given: Configuration, _ console: Console) async throws {
        var checked = given
        var report = try await Self.check(build, checked, console)
        decideExclusions(report, given)
        if given[.profileRoot] == nil, let root = Self.commonRoot(report) {
            var trial = decided
            trial.set(.profileRoot, root)
            let settled = given.settled(by: trial)
            let under = try await Self.check(build, settled, console)
            let launch = settled.text(.launch) ?? Defaults.launch
            if Self.isBetter(under, than: report), try Self.loads(launch, in: under, of: build) {
                notes[.profileRoot] = ["The pages load their files from there."]
                (decided, report, checked) = (trial, under, settled)
            }
        }
        decideHosts(report, given)
        let settled = given.settled(by: decided)
        if settled != checked { report = try await Self.check(build, settled, console) }
        propose(report)
        errors = report.count(.error)
        warnings = report.count(.warning)
    }

    private static func check(
        _ build: Directory, _ configuration: Configuration, _ console: Console
    ) async throws -> Checker.Report {
        var configuration = configuration
        // The hosts of intercepted pages may not be known yet.
        if configuration.profile?.isIntercepted == true, configuration[.host] == nil {
            configuration.set(.host, [configuration.profile?.pageHost ?? Profile.unknownHost])
        }
        let settings = try Settings(flags: configuration)
        var run = try CheckRun(settings)
        run.dumpsURLs = true
        return try await run.report(
            build, excluding: settings.exclusions, console)
    }

    private static func values(
        _ key: SettingKey, in report: Checker.Report, of rules: Set<String>? = nil
    ) -> [String] {
        var values: [String] = []
        for finding in report.findings where rules?.contains(finding.rule) ?? true {
            guard let setting = finding.setting, setting.key == key.rawValue else { continue }
            for value in setting.values where !values.contains(value) { values.append(value) }
        }
        return values.sorted()
    }

    private mutating func decideExclusions(_ report: Checker.Report, _ given: Configuration) {
        guard given[.exclude] == nil else { return }
        let patterns = Self.values(.exclude, in: report, of: Self.leftoverRules)
            .filter { (try? ExclusionPattern($0)) != nil }
        guard !patterns.isEmpty else { return }
        decided.set(.exclude, patterns)
        notes[.exclude] = ["No page uses these in the app."]
    }

    /// Whether more of the resources loaded by pages are found; links are ignored, because a site
    /// may have many more of them.
    private static func isBetter(_ one: Checker.Report, than other: Checker.Report) -> Bool {
        let counts = [one, other].map { report in
            report.urls.count {
                $0.verdict == "file" && ($0.use.isFetched || $0.use == .request)
            }
        }
        guard counts[0] == counts[1] else { return counts[0] > counts[1] }
        return errorPlaces(one) < errorPlaces(other)
    }

    /// The number of locations with an error: a finding may have several.
    private static func errorPlaces(_ report: Checker.Report) -> Int {
        report.findings.filter { $0.severity == .error }.clampedSum(of: \.placeCount)
    }

    /// Whether a page finds its scripts and style sheets, as far as they are in the build.
    ///
    /// A page with relative URLs is not affected by the root assumed by its scripts.
    private static func loads(
        _ page: String, in report: Checker.Report, of build: Directory
    ) throws -> Bool {
        let names = Set(try FileTree.survey(build).files.map { printable($0.path.fileName) })
        let kinds: Set = ["script", "module-script", "style-sheet"]
        return !report.urls.contains { url in
            guard url.path == page, kinds.contains(url.kind), url.verdict != "file",
                let name = url.lookedUp?.pathComponents().last
            else { return false }
            return names.contains(String(name))
        }
    }

    /// The root assumed by most URLs.
    private static func commonRoot(_ report: Checker.Report) -> String? {
        report.findings.filter { $0.setting?.key == SettingKey.profileRoot.rawValue }
            .max { $0.placeCount < $1.placeCount }?.setting?.values.first
            .flatMap { $0 == "/" ? nil : $0 }
    }

    /// Sets the hosts of absolute URLs whose file is in the build.
    private mutating func decideHosts(_ report: Checker.Report, _ given: Configuration) {
        guard given[.host] == nil else { return }
        var hosts: Set<String> = []
        for url in report.urls where url.verdict == "other-origin" && url.target != nil {
            guard let text = url.url, let record = URLRecord.parse(text.utf8, base: nil),
                let host = record.host
            else { continue }
            hosts.insert(String(decoding: host.serialized, as: UTF8.self))
        }
        let names = hosts.filter { SettingKey.host.fault(of: $0) == nil }.sorted().prefix(8)
        guard !names.isEmpty else { return }
        decided.set(.host, Array(names))
        notes[.host] = ["The pages name files of this build there."]
    }

    private mutating func propose(_ report: Checker.Report) {
        // Exclusions and the root are already decided.
        owners = ProposedSettings(
            report.findings.filter {
                $0.severity > .hint && $0.setting?.key != SettingKey.exclude.rawValue
                    && $0.setting?.key != SettingKey.profileRoot.rawValue
            })
        for key in proposed.contents.keys {
            notes[key] = ProposedSettings.note(on: key).map { [$0] }
        }
    }

    /// The proposed lines for the owner's decision.
    func proposal(for file: String) -> [String] {
        owners.lines(file: Configuration(file: file), flags: Configuration())
    }
}

extension Configuration {
    /// Adds the settings determined by a build, if not already set.
    ///
    /// With a root, a named profile becomes the base of a custom one.
    func settled(by decided: Configuration) -> Configuration {
        var settled = self
        for (key, content) in decided.contents where settled[key] == nil {
            settled.set(key, content)
        }
        if let root = settled.text(.profileRoot), let list = settled.list(.profiles) {
            settled.unset(.profileRoot)
            settled.set(.profiles, .list(list.map { $0.rooted(at: root) }))
        } else if settled[.profileRoot] != nil, let name = settled.text(.profile) {
            settled.unset(.profile)
            settled.set(.profileBase, name)
        }
        return settled
    }

    /// The settings of a profile with another root.
    private func rooted(at root: String) -> Configuration {
        var settings = self
        if let name = text(.profile) {
            settings.unset(.profile)
            settings.set(.profileBase, name)
        }
        settings.set(.profileRoot, root)
        return settings
    }
}
