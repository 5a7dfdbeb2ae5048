import ArgumentParser
import PackCheck
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSettings

/// `packtool publish`.
struct PublishCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes a build to an origin.",
        discussion: """
            Hashes and packages the build, verifies the package, and uploads all files before the \
            pointer. If it is interrupted, clients still find one complete release; run it again \
            to finish. Publishing the same content again changes nothing without a flag such as \
            --renew.

            Example, the second with app and base-url in packtool.yaml:
              packtool publish dist --to cdn --app shop --base-url https://example.com/shop
              packtool publish dist --to cdn --label 2.4.1 --dry-run

            Two people: --propose leaves the pointer in a file, 'packtool keys sign' adds signatures, and \
            --pointer commits it:
              packtool publish dist --to cdn --propose next.json
              packtool publish --pointer next.json --to cdn

            Files of a published release that 'packtool verify' finds missing, damaged or with wrong \
            headers come back from its build with --repair; no pointer changes:
              packtool publish dist --to cdn --repair
            """)

    @Argument(
        help: ArgumentHelp("The build output, or a package.", valueName: "dir"), completion: .path)
    var build: String?

    @Option(name: .setting(.to), help: .setting(.to, "origin"), completion: .path)
    var to: String?

    @Option(
        help: ArgumentHelp("The name people give the release, such as 2.4.1.", valueName: "text"))
    var label: String?

    @Option(help: ArgumentHelp("The source commit, recorded in the manifest.", valueName: "id"))
    var commit: String?

    @Option(
        help: ArgumentHelp(
            "A package to copy unchanged files from (default: the current one).",
            valueName: "old.zip"), completion: .path)
    var reuse: String?

    @Option(
        help: ArgumentHelp(
            "How long clients may update with this pointer (default: no limit; \(Defaults.signedPointerDays) days if it is signed).",
            valueName: "days"))
    var expiresInDays: Int?

    @Option(name: .setting(.deltasCount), help: .setting(.deltasCount, "count"))
    var deltas: Int?

    @Option(name: .setting(.deltasFrom), help: .setting(.deltasFrom, "version"))
    var deltaFrom: [String] = []

    @Option(name: .setting(.feeds), help: .setting(.feeds, "client"))
    var feed: [String] = []

    @Flag(
        help: """
            Accept a changed base URL, scheme or launch page. Published files do not change.
            """)
    var allowIdentityChange = false

    @Flag(
        help: """
            Refuse to create a new origin. For CI, to detect an empty directory instead of the \
            origin known to devices.
            """)
    var requireOrigin = false

    @Option(
        help: ArgumentHelp(
            "The author of the release, stored in the pointer, such as a CI job's URL.",
            valueName: "text"))
    var actor: String?

    @Flag(help: "Write a new pointer even if the release is already current.")
    var renew = false

    @Flag(
        help: """
            Publish nothing; restore the files and headers of a published release from its own build.
            """)
    var repair = false

    @OptionGroup var propose: ProposeOption

    @Option(
        help: ArgumentHelp(
            "Commit a pointer that --propose wrote, once it is signed, instead of a build.",
            valueName: "file"), completion: .path)
    var pointer: String?

    @Flag(help: "Print the plan; write nothing to the origin.")
    var dryRun = false

    @Flag(
        help: """
            Use and keep no hashes of unchanged files; every file of the build and the origin is read.
            """)
    var noCache = false

    @Flag(help: "Publish without checking the pages first.")
    var noCheck = false

    @Option(name: .setting(.checkIgnore), help: .setting(.checkIgnore, "rule"))
    var ignore: [String] = []

    @Option(name: .setting(.checkBaseline), help: .setting(.checkBaseline, "file"))
    var baseline: String?

    @Option(name: .setting(.checkMaxWarnings), help: .setting(.checkMaxWarnings, "count"))
    var maxWarnings: Int?

    @OptionGroup var bucket: BucketOptions
    @OptionGroup var bucketWriting: BucketWritingOptions
    @OptionGroup var cdn: CDNOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var trust: TrustOption
    @OptionGroup var level: LevelOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        settings.set(.to, to)
        bucket.apply(to: &settings)
        settings.set(.deltasCount, deltas)
        settings.set(.deltasFrom, deltaFrom)
        settings.set(.feeds, feed.flatMap { $0.split(separator: ",").map(String.init) })
        settings.set(.checkIgnore, ignore)
        settings.set(.checkBaseline, baseline)
        settings.set(.checkMaxWarnings, maxWarnings)
        level.apply(to: &settings)
        line.apply(to: &settings)
        identity.apply(to: &settings)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func validate() throws {
        if pointer != nil { return try checkPointerAlone() }
        if repair { try checkRepairAlone() }
        try checkMaxWarnings(maxWarnings)
        if noCache, bucketWriting.cache != nil {
            throw ValidationError("--cache and --no-cache contradict each other; give one.")
        }
        try cdn.check(isLive: !dryRun && propose.propose == nil)
        if noCheck, !ignore.isEmpty || baseline != nil || maxWarnings != nil {
            throw ValidationError(
                "--no-check finds nothing; omit --ignore, --baseline and --max-warnings.")
        }
        try checkLifetime(expiresInDays)
        try checkActor(actor)
        try checkCommit(commit)
        try checkDeltas(deltas)
        if deltas != nil, !deltaFrom.isEmpty {
            throw ValidationError("--deltas and --delta-from contradict each other; give one.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        if let pointer { return try await runPointer(pointer, console) }
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        try settings.require([.build, .app, .baseURL, .origin], console)
        let origin = try settings.origin()
        let remote = try remoteStore(origin, settings, console)
        try checkLabel(label)
        let manifest = try settings.manifestRequest(commit: commit)
        let channel = try settings.channel()
        let now = try console.environment.now()
        let jobs = try console.environment.jobs()
        let known = hashes(ofOrigin: origin, isBucket: remote != nil, console)
        let report = try await ReleaseSource.withBuild(
            settings.build(), excluding: settings.exclusions,
            hashes: hashes(of: settings.build(), console), console
        ) { scan in
            // Report invalid names like every other command.
            try scan.release.checkPortable(root: scan.directory.path)
            // A repair publishes no new pages.
            if !repair { try await check(scan, settings, remote, console) }
            var request = PublishRequest(
                scan: scan, origin: origin, channel: channel, manifest: manifest,
                level: settings.level, label: label, now: now,
                clock: console.environment.clock, lifetimeDays: expiresInDays, renew: renew,
                reuse: try reuseFile(),
                temporaryDirectory: console.environment.temporaryDirectory,
                deltas: try settings.deltas(), jobs: jobs,
                progress: console.progress)
            request.later = { (try? console.environment.now()) ?? now }
            request.conditions = conditions.conditions
            request.staysPaused = conditions.stayPaused
            request.correctsManifest = allowIdentityChange
            request.repairs = repair
            request.requiresOrigin = requireOrigin
            request.feeds = settings.feeds
            request.known = known?.hashes
            request.by = actor
            request.signers = try signing.signers(
                outside: [.build(scan.directory.path), .origin(origin)], console)
            request.pin = try trust.root()
            request.isProposal = propose.propose != nil
            try propose.check(
                outside: [.build(scan.directory.path)] + (remote == nil ? [.origin(origin)] : []))
            guard dryRun else {
                guard let remote else { return try await Publisher.publish(request) }
                return try await Publisher.publish(request, to: remote)
            }
            return try await TemporaryDirectory.with(console) { directory in
                request.temporaryDirectory = directory.path
                guard let remote else { return try await Publisher.plan(request) }
                return try await Publisher.plan(request, to: remote)
            }
        }
        if !dryRun { known?.save(linkedIn: origin) }
        let seconds = console.environment.monotonicSeconds() - started
        for note in report.notes { console.note(note) }
        noteBudget(report, settings, console)
        var text = PublishReportText(
            report: report, origin: origin, baseURL: manifest.baseURL, isPlan: dryRun,
            seconds: seconds)
        if !output.json { console.stdout(text.text) }
        // Written before the check of the CDN: the proposal is the purpose of this run.
        try await propose.write(report.proposal, to: origin, console)
        let seen = await seenByClients(report, manifest.baseURL, settings, now: now, console)
        if case .result(let found, _) = seen { text.cdn = found }
        if output.json { console.print(json: text.json) }
        return seen.map { reportCheck($0, of: report, manifest.baseURL, origin, console) } ?? 0
    }

    /// The remote store to publish to; `nil` for a directory.
    func remoteStore(
        _ origin: String, _ settings: Settings, _ console: Console
    ) throws -> (any WritableStore)? {
        let address = OriginAddress(origin)
        if !address.isBucket {
            try bucket.refuse(for: origin)
            try bucketWriting.refuse(for: origin)
        }
        return try OriginOpener(settings: settings, console).writable(
            address, bucketWriting.safety, bucketWriting.proof, cache: bucketWriting.cache)
    }

    /// Rejects a build whose pages do not work; warnings are counted.
    ///
    /// - Throws: ``Failure/checkErrors(_:remaining:proposes:build:baseline:)``.
    private func check(
        _ scan: BuildScan, _ settings: Settings, _ remote: (any WritableStore)?,
        _ console: Console
    ) async throws {
        guard !noCheck else {
            console.stderr("warning: --no-check: the pages were not checked")
            return
        }
        let run = try await checkRun(settings, remote)
        let baseline = try settings.baseline.map(run.accepted(by:))
        var report = try await run.report(scan, console)
        baseline?.accept(in: &report, console)
        let errors = report.count(.error)
        if errors > 0 {
            let search = try await ProposalSearch(report, from: .error) { proposed in
                let settled = try settings.adding(proposed)
                // Excluded files are still in the scan.
                let kept =
                    proposed.keys.contains(.exclude)
                    ? try await BuildScan.scan(
                        scan.directory.path, excluding: settled.exclusions,
                        jobs: console.environment.jobs()) : scan
                var again = try CheckRun(settled)
                again.previous = run.previous
                again.dumpsURLs = true
                var report = try await again.report(kept, console)
                baseline?.accept(in: &report, console.quieted)
                return report
            }
            console.stderr(RefusalText(report, search, settings).text)
            throw Failure.checkErrors(
                errors, remaining: search.report.count(.error),
                proposes: !search.proposed.isEmpty, build: build,
                baseline: settings.baseline)
        }
        let warnings = report.count(.warning)
        if let limit = settings.maxWarnings, warnings > limit {
            throw Failure.checkMaxWarnings(warnings, limit: limit)
        }
        if warnings > 0 {
            console.note("'packtool check' reported \(counted(warnings, "warning"))")
        }
    }

    /// Warns of updates larger than `check.budgets.update`; their size is only known after
    /// publishing.
    private func noteBudget(_ report: PublishReport, _ settings: Settings, _ console: Console) {
        guard let limit = settings.checkOptions.budgets.update else { return }
        for delta in report.deltas where delta.content.size > limit {
            console.stderr(
                """
                warning: the update from \(delta.from) downloads \(readableSize(delta.content.size)); \
                check.budgets.update is \(readableLimit(limit))
                """)
        }
    }

    /// A check that compares the build with the content of the origin.
    private func checkRun(
        _ settings: Settings, _ remote: (any WritableStore)?
    ) async throws -> CheckRun {
        var run = try CheckRun(settings)
        guard let remote else {
            run.previous = try deployed(at: settings.origin())
            return run
        }
        if let info = try await remote.read(OriginLayout.info, limit: Manifest.sizeLimit) {
            run.previous = try? ManifestCoding.decode(
                info.bytes, path: remote.display(OriginLayout.info))
        }
        return run
    }

    /// The manifest currently served to clients; `nil` if there is none, or if it is damaged, which
    /// the publish itself reports.
    private func deployed(at origin: String) -> Manifest? {
        guard let directory = try? Directory.open(origin),
            let bytes = try? directory.readFile("info.json", limit: Manifest.sizeLimit)
        else { return nil }
        return try? ManifestCoding.decode(bytes, path: directory.display("info.json"))
    }

    private func reuseFile() throws -> PublishRequest.ReuseFile? {
        guard let reuse else { return nil }
        let (directory, name) = try ReadableFile.locateExisting(reuse)
        _ = try directory.openFile(name)
        return .init(directory: directory, name: name)
    }
}
