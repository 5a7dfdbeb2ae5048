import PackCheck
import PackGround
import PackProfile
import PackSettings
import PackURL

/// The settings derived from a check of a build before any configuration.
struct BuildSurvey {
    /// The settings to write: those of the user and the project, and the decided ones.
    private(set) var settings: Configuration
    /// Settings determined by the build, or chosen, which are written to the file.
    private(set) var decided = Configuration()
    /// Settings that only the project's owner can decide, which are written as comments.
    private(set) var proposed = ProposedSettings()
    /// The proposed and chosen settings among ``decided``.
    private(set) var chosen = ProposedSettings()
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
    /// - Parameters:
    ///   - given: The settings of the user and the project, which take precedence.
    ///   - choice: The decision about proposed settings.
    init(
        _ build: Directory, given: Configuration, choice: ProposalChoice, _ console: Console
    ) async throws {
        settings = given
        var checked = given
        var report = try await Self.check(build, given, console)
        decideExclusions(report, given)
        let root = Self.root(in: report, given)
        if !root.isEmpty {
            let under = Self.settled(settings, root)
            let trial = try await Self.check(build, under, console)
            let launch = under.text(.launch) ?? Defaults.launch
            if trial.isBetter(than: report), try Self.loads(launch, in: trial, of: build) {
                let isChosen = try choice.isOpen || !choice.chosen(from: root).isEmpty
                if isChosen {
                    (chosen, report, checked) = (root, trial, under)
                } else {
                    proposed = root
                }
            }
        }
        decideHosts(report, given)
        let start = chosen
        let base = settings
        let settled = Self.settled(base, start)
        if settled != checked { report = try await Self.check(build, settled, console) }
        let search = try await ProposalSearch(
            report, from: .warning,
            // Exclusions and the root are already decided.
            isOpen: { $0 != .exclude && $0 != .profileRoot },
            choose: { choice.isOpen ? $0 : try choice.chosen(from: $0) }
        ) { found in
            try await Self.check(build, Self.settled(base, start.adding(found)), console)
        }
        chosen.add(search.proposed)
        proposed.add(search.declined)
        report = search.report
        if choice.isOpen {
            (proposed, chosen) = (chosen, ProposedSettings())
            if !proposed.isEmpty { report = try await Self.check(build, base, console) }
        }
        settings = Self.settled(base, chosen)
        for (key, content) in chosen.values.contents { decided.set(key, content) }
        for settings in [proposed, chosen] {
            for key in settings.keys { notes[key] = settings.note(on: key).map { [$0] } }
        }
        errors = report.count(.error)
        warnings = report.count(.warning)
    }

    private static func settled(
        _ settings: Configuration, _ proposed: ProposedSettings
    ) -> Configuration {
        proposed.applied(to: settings, flags: Configuration()).file
    }

    private static func check(
        _ build: Directory, _ configuration: Configuration, _ console: Console
    ) async throws -> Checker.Report {
        var configuration = configuration
        // The hosts of intercepted pages may not be known yet.
        if configuration.profile?.isIntercepted == true, configuration[.host] == nil {
            configuration.set(.host, [configuration.profile?.pageHost ?? Profile.unknownHost])
        }
        let settings = try Settings(flags: Configuration(), file: configuration)
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

    private mutating func decide(_ key: SettingKey, _ values: [String]) {
        decided.set(key, values)
        settings.set(key, values)
    }

    private mutating func decideExclusions(_ report: Checker.Report, _ given: Configuration) {
        guard given[.exclude] == nil else { return }
        let patterns = Self.values(.exclude, in: report, of: Self.leftoverRules)
            .filter { (try? ExclusionPattern($0)) != nil }
        guard !patterns.isEmpty else { return }
        decide(.exclude, patterns)
        notes[.exclude] = ["No page uses these in the app."]
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
    private static func root(
        in report: Checker.Report, _ given: Configuration
    ) -> ProposedSettings {
        let root = ProposedSettings(
            report.findings.filter { $0.setting?.key == SettingKey.profileRoot.rawValue })
        let isGiven = given[.profileRoot] != nil || root.values.text(.profileRoot) == "/"
        return isGiven ? ProposedSettings() : root
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
        decide(.host, Array(names))
        notes[.host] = ["The pages name files of this build there."]
    }

    /// The proposed lines for the owner's decision.
    func proposal(for file: String) -> [String] {
        var written = Configuration(file: file)
        for (key, content) in settings.contents { written.set(key, content) }
        return proposed.lines(file: written, flags: Configuration())
    }
}
