import ArgumentParser
import PackCheck
import PackGround
import PackRelease
import PackSettings

/// `packtool check`.
struct CheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Finds problems in pages that the app opens offline.",
        usage: "packtool check [<dir>] [--profile <name>] [--format <format>] [<options>]",
        discussion: """
            Resolves every URL of the build like the app's handler, and reports problems with \
            file, line and column. To suppress a rule in one line, add a comment 'packtool-ignore \
            RULE -- reason'.

            With several profiles, a finding that differs names its profile.

            --engine also opens the pages in WebKitGTK, in a process and a virtual display of its \
            own: the launch page, then its links and the other pages. It reports missing and \
            refused files, exceptions and blank pages, and confirms or weakens the findings of \
            the check.

            Exit code 1 if there is an error.

            Example, the second with the profile in packtool.yaml:
              packtool check dist --profile basename-cache --host shop.example.com
              packtool check dist --format sarif --max-warnings 100
              packtool check dist --format github --save sarif=packtool.sarif
              packtool check dist --profile capacitor --profile capacitor-android
              packtool check dist --dump-urls
              packtool check dist --engine --pages 10
            """)

    @Argument(
        help: ArgumentHelp("The build output, or a package.", valueName: "dir"), completion: .path)
    var build: String?

    @Option(help: ArgumentHelp("The output format (default: text).", valueName: "format"))
    var format: FindingsFormat?

    @OptionGroup var save: SaveOption

    @Option(
        help: ArgumentHelp(
            "The deployed release: an origin (a directory, s3:// or https://; also ORIGIN@LABEL) or an info.json.",
            valueName: "origin"),
        completion: .path)
    var against: String?

    @OptionGroup var missing: MissingOption

    @Option(name: .setting(.checkMaxWarnings), help: .setting(.checkMaxWarnings, "count"))
    var maxWarnings: Int?

    @Option(
        help: ArgumentHelp("Run only this rule; repeatable.", valueName: "rule"), completion: .rules
    )
    var select: [String] = []

    @Option(name: .setting(.checkIgnore), help: .setting(.checkIgnore, "rule"), completion: .rules)
    var ignore: [String] = []

    @Option(
        name: .setting(.checkBaseline), help: .setting(.checkBaseline, "file"), completion: .path)
    var baseline: String?

    @Flag(help: "Write the findings to the baseline.")
    var updateBaseline = false

    @Flag(help: "Make the safe fixes in the build's files.")
    var fix = false

    @Option(
        help: ArgumentHelp(
            "The build's path in the repository (default: as given).",
            valueName: "path"))
    var pathPrefix: String?

    @Flag(help: "Show hints, too.")
    var hints = false

    @Flag(help: "Exit code 1 if an address in a script was not understood (js-unread-address).")
    var strictCoverage = false

    @OptionGroup var list: LimitOption

    @Option(
        help: ArgumentHelp(
            "Colour the text: auto, always or never (default: auto).", valueName: "when"))
    var color: ColorChoice?

    @Flag(
        name: .customLong("dump-urls"),
        help: "Print every URL with its resolution instead of findings.")
    var dumpURLs = false

    @OptionGroup var opening: EngineOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        settings.set(.checkMaxWarnings, maxWarnings)
        settings.set(.checkIgnore, ignore)
        settings.set(.checkBaseline, baseline)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func validate() throws {
        if missing.allowMissing, against == nil {
            throw ValidationError("--allow-missing is for --against.")
        }
        try checkMaxWarnings(maxWarnings)
        try output.checkFormat(format?.rawValue)
        try list.check(format?.rawValue, json: output.json, saved: save.formats)
        if color != nil {
            guard !output.json, format == nil || format == .text, !dumpURLs, !updateBaseline else {
                throw ValidationError("--color is for the findings as text.")
            }
        }
        let withPaths: Set<FindingsFormat> = [.github, .junit, .markdown, .sarif]
        if pathPrefix != nil, format.map({ !withPaths.contains($0) }) ?? true,
            !save.formats.contains(where: { withPaths.map(\.rawValue).contains($0) })
        {
            throw ValidationError(
                "--path-prefix is for --format or --save with sarif, github, junit or markdown.")
        }
        if !select.isEmpty, select.allSatisfy(ignore.contains) {
            throw ValidationError(
                "--ignore takes out every rule of --select: nothing would be checked.")
        }
        let coverage = Rule.jsUnreadAddress.id
        if strictCoverage,
            ignore.contains(coverage) || !select.isEmpty && !select.contains(coverage)
        {
            throw ValidationError("--strict-coverage needs the rule \(coverage).")
        }
        if dumpURLs {
            guard format == nil || format == .text || format == .json else {
                throw ValidationError("--dump-urls prints text or json.")
            }
            guard against == nil, maxWarnings == nil, select.isEmpty, ignore.isEmpty,
                baseline == nil, !updateBaseline, !fix, !hints, !strictCoverage,
                list.limit == nil, save.save.isEmpty, !opening.engine
            else {
                throw ValidationError("--dump-urls prints no findings; omit the flags about them.")
            }
        }
        if updateBaseline {
            guard format == nil, maxWarnings == nil, !hints, !strictCoverage, list.limit == nil,
                save.save.isEmpty
            else {
                throw ValidationError(
                    "--update-baseline prints no findings; omit the flags about them.")
            }
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settingsWithBuild(console)
        let baseline = settings.baseline
        var run = try CheckRun(settings, select: select)
        run.dumpsURLs = dumpURLs
        run.opensPages = opening.engine
        let accepted = dumpURLs || updateBaseline ? nil : try baseline.map(run.accepted(by:))
        let path = try settings.build()
        let saved = try save.files(
            FindingsFormat.self, inputs: [.build(path)] + (baseline.map { [.file($0)] } ?? []))
        try OutputLocation.refuseSame(saved.map { ($0.file, $0.location) })
        if against == nil { _ = try origins.opener(settings, for: [path], console) }
        if let against {
            run.previous = try await deployed(against, build: path, settings, console)
        }
        if updateBaseline {
            guard let baseline else {
                throw Failure.usageMissing(
                    .init(
                        name: "the baseline to update", flag: "--baseline FILE", key: .checkBaseline
                    ))
            }
            let file = try OutputLocation.check(baseline, inputs: [.build(path)])
            if let status = try file.directory.status(file.name), status.size > 0 {
                _ = try Baseline.read(baseline)
            }
        }
        let kept = updateBaseline ? try baseline.flatMap(run.untouched(in:)) : nil
        return try await CheckRun.withDirectory(
            path, excluding: settings.exclusions, console, writes: fix
        ) { directory, exclusions in
            var report: Checker.Report
            if fix {
                let outcome = try await FixApplier(directory: directory).run {
                    try await run.report(
                        directory, excluding: exclusions, console, keepsFixes: true)
                }
                report = outcome.report
                console.note(fixNote(outcome))
                if let note = changedNote(outcome) { console.note(note) }
            } else {
                report = try await run.report(directory, excluding: exclusions, console)
            }
            if let request = opening.request {
                let site = try run.site(
                    directory, excluding: exclusions, for: run.openedProfile())
                report = try await run.opening(report, of: site, request, console).report
            }
            if dumpURLs {
                show(urls: report.urls, console)
                return 0
            }
            if updateBaseline, let baseline {
                try await update(baseline, report, keeping: kept, console)
                return 0
            }
            accepted?.accept(in: &report, console)
            let findings = FindingsDocument(
                report: report, profiles: run.profileNames, build: pathPrefix ?? path,
                showsHints: hints,
                limit: list.limit, maxWarnings: run.maxWarnings,
                proposal: settings.proposal(
                    for: report.findings.filter { hints || $0.severity > .hint }))
            for file in saved {
                try await file.write(findings.bytes(file.format, console), console)
            }
            show(findings, console)
            let verdict = run.verdict(of: report)
            // Text output starts with the verdict; other formats list each error as a finding.
            if verdict.errors == 0, !verdict.isReady, output.json || format ?? .text != .text {
                console.note(verdict.text)
            }
            if strictCoverage, let coverage = verdict.coverage {
                console.note("\(coverage), and --strict-coverage allows none")
                return ExitCode.verification.rawValue
            }
            return verdict.isReady ? 0 : ExitCode.verification.rawValue
        }
    }

    /// - Parameter untouched: Other accepted findings to keep in the baseline.
    private func update(
        _ baseline: String, _ report: Checker.Report, keeping untouched: Baseline?,
        _ console: Console
    ) async throws {
        let found = Baseline(of: report.findings)
        let accepted = untouched.map(found.adding) ?? found
        try await ReadableFile.replace(baseline, with: JSONWriter.write(accepted.json), console)
        let count = report.findings.clampedSum(of: \.count)
            .addingClamped(untouched?.count ?? 0)
        if output.json {
            console.print(
                json: .members(["baseline": .string(baseline), "accepted": .integer(count)]))
        } else {
            console.note("\(counted(count, "finding")) accepted in '\(baseline)'")
        }
    }

    /// The manifest of the deployed release; `nil` if there is none and `--allow-missing` is given.
    private func deployed(
        _ path: String, build: String, _ settings: Settings, _ console: Console
    ) async throws -> Manifest? {
        let opener = try origins.opener(settings, for: [path], console)
        guard try await missing.present(path, opener, console) != nil else { return nil }
        if let origin = try OriginRelease.find(path, opener) {
            return try await origin.manifest(settings.channel())
        }
        let bytes = try ReadableFile.read(path, limit: Manifest.sizeLimit)
        guard let seed = try LegacyManifest.decode(bytes, path: path) else {
            return try ManifestCoding.decode(bytes, path: path)
        }
        // It has no content hashes, so only names are compared.
        let (release, _) = try await ReleaseSource.release(
            build, excluding: settings.exclusions, console)
        return try seed.manifest(beside: release, isHashed: ContentHash.isIn)
    }

    private func fixNote(_ outcome: FixApplier.Outcome) -> String {
        if outcome.fixes == 0 { return "nothing could be fixed safely" }
        let hasHash = outcome.files.contains {
            ContentHash.isIn(Array(($0.pathComponents().last ?? "").utf8))
        }
        return "\(counted(outcome.fixes, "fix", plural: "fixes")) in "
            + counted(outcome.files.count, "file")
            + (hasHash
                ? "; content hashes in the names of changed files are outdated" : "")
    }

    /// A note about files modified by another program during the run.
    private func changedNote(_ outcome: FixApplier.Outcome) -> String? {
        guard !outcome.changed.isEmpty else { return nil }
        let names = outcome.changed.prefix(5).map { "'\(printable($0.utf8))'" }
        let more = outcome.changed.count - names.count
        return names.joined(separator: ", ") + (more > 0 ? " and \(grouped(more)) more" : "")
            + " changed while \(outcome.changed.count == 1 ? "it was" : "they were") checked and "
            + "\(outcome.changed.count == 1 ? "was" : "were") not fixed; run it again"
    }

    private func show(_ findings: FindingsDocument, _ console: Console) {
        let format = output.json ? .json : format ?? .text
        if format == .text, output.quiet,
            findings.report.findings.allSatisfy({ $0.severity == .hint })
        {
            return
        }
        findings.print(format, color ?? .auto, on: console)
    }

    private func show(urls: [URLReport], _ console: Console) {
        if output.json || format == .json {
            console.print(json: FindingsJSON.urls(urls))
            return
        }
        for url in urls {
            console.print(
                (url.profile.map { "[\($0)] " } ?? "")
                    + "\(url.path):\(url.line):\(url.column) \(url.kind) \(url.use.rawValue) "
                    + "'\(url.value)' -> \(url.verdict)"
                    + (url.lookedUp.map { " looked up '\($0)'" } ?? "")
                    + (url.target.map { " \($0)" } ?? ""))
        }
    }
}
