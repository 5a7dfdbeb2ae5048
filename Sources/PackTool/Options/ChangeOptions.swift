import ArgumentParser
import PackGround
import PackOrigin
import PackPublish
import PackSettings

extension NativeVersion: ExpressibleByArgument {
    public init?(argument: String) { try? self.init(argument) }
}

extension AppPlatform: ExpressibleByArgument {}

/// The platform of the app around an installation.
struct PlatformOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The platform of the app, for releases with limits by platform (default: the strictest limits hold).",
            valueName: "platform"))
    var platform: AppPlatform?
}

/// The origin of a command that changes or shows a channel.
struct OriginArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The origin: a directory, a file:// URL, or s3://bucket/prefix (default: 'to' of packtool.yaml).",
            valueName: "origin"),
        completion: .path)
    var given: String?

    @OptionGroup var bucket: BucketOptions

    func apply(to settings: inout Configuration) { bucket.apply(to: &settings) }

    /// The given origin, or the one from the settings.
    ///
    /// - Throws: ``Failure/usageMissing(_:)`` if neither is set.
    func origin(_ settings: Settings) throws -> String { try settings.origin(given: given) }

    /// The path of the origin's directory; `nil` for a bucket.
    func path(_ settings: Settings) throws -> String? {
        let origin = try origin(settings)
        switch OriginAddress(origin) {
        case .bucket: return nil
        case .directory, .web:
            try bucket.refuse(for: origin)
            return try existingOrigin(origin)
        }
    }

    /// Opens an existing origin for reading.
    func store(
        _ settings: Settings, _ console: Console, _ readBack: ReadBack = .all
    ) throws -> any ListingStore {
        _ = try path(settings)
        return try OriginOpener(settings: settings, console)
            .list(OriginAddress(origin(settings)), readBack)
    }

    /// Opens an existing origin for changes.
    func writable(
        _ settings: Settings, _ safety: UnsafeStoreOption, _ proof: ReadBackOption?,
        _ console: Console
    ) throws -> any WritableStore {
        let (origin, path) = try (origin(settings), path(settings))
        let remote = try OriginOpener(settings: settings, console)
            .writable(OriginAddress(origin), safety, proof)
        return try remote ?? StoreOpener.writeExisting(path ?? origin)
    }
}

/// The options of all commands that create a new pointer without a build.
struct ChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long clients may update with the new pointer (default: as before).",
            valueName: "days"))
    var expiresInDays: Int?

    @Option(
        help: ArgumentHelp(
            "The author of the change, stored in the pointer, such as a CI job's URL.",
            valueName: "text")
    )
    var actor: String?

    @Flag(help: "Print the changes; write nothing to the origin.")
    var dryRun = false

    @OptionGroup var proof: ReadBackOption
    @OptionGroup var safety: UnsafeStoreOption
    @OptionGroup var propose: ProposeOption
    @OptionGroup var signing: SigningOptions
    @OptionGroup var trust: TrustOption

    func validate() throws {
        try checkLifetime(expiresInDays)
        try checkActor(actor)
    }

    /// Executes or plans a change, and prints the result.
    func run(
        _ command: ChannelRequest.Command, on location: OriginArgument, _ settings: Settings,
        _ output: OutputOptions, _ console: Console
    ) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let origin = try location.origin(settings)
        let path = try location.path(settings)
        if path != nil {
            try proof.refuse(for: origin)
            try safety.refuse(for: origin)
        }
        try propose.check(outside: path.map { [.origin($0)] } ?? [])
        let now = try console.environment.now()
        var request = ChannelRequest(
            channel: try settings.channel(), command: command,
            now: now, clock: console.environment.clock, lifetimeDays: expiresInDays,
            by: actor, temporaryDirectory: console.environment.temporaryDirectory,
            jobs: try console.environment.jobs(), progress: console.progress)
        request.later = { (try? console.environment.now()) ?? now }
        request.signers = try signing.signers(outside: path.map { [.origin($0)] } ?? [], console)
        request.pin = try trust.root()
        request.isProposal = propose.propose != nil
        let report: ChannelReport
        if dryRun {
            let planned = request
            report = try await TemporaryDirectory.with(console) { directory in
                var request = planned
                request.temporaryDirectory = directory.path
                return try await ChannelChanger.plan(
                    request, on: location.writable(settings, safety, proof, console))
            }
        } else {
            request.temporaryDirectory = console.environment.temporaryDirectory
            report = try await ChannelChanger.run(
                request, on: location.writable(settings, safety, proof, console))
        }
        for note in report.notes { console.note(note) }
        let text = ChannelReportText(
            report: report, origin: origin, isPlan: dryRun,
            seconds: console.environment.monotonicSeconds() - started)
        if output.json {
            console.print(json: text.json)
        } else {
            console.stdout(text.text)
        }
        try await propose.write(report.proposal, to: origin, console)
        return 0
    }
}

/// Rejects the lifetime of a pointer or root if it is out of range.
func checkLifetime(_ days: Int?, longest: Int = 3650) throws {
    if let days, !(1...longest).contains(days) {
        throw ValidationError("--expires-in-days takes 1 to \(longest).")
    }
}

/// Rejects a percentage outside 0 to 100.
func checkShare(_ share: Int?, _ name: String) throws {
    if let share, !(0...100).contains(share) {
        throw ValidationError("\(name) takes a percentage from 0 to 100.")
    }
}

/// Rejects an actor that does not fit in a pointer.
func checkActor(_ actor: String?) throws {
    try checkLine(actor, "--actor", atMost: Pointer.byLimit)
}

/// Rejects an invalid commit name.
func checkCommit(_ commit: String?) throws { try checkLine(commit, "--commit", atMost: 200) }

/// Rejects text that is not a single printable line.
func checkLine(_ text: String?, _ flag: String, atMost limit: Int) throws {
    guard let text else { return }
    guard !text.isEmpty, text.utf8.count <= limit, printable(text.utf8) == text else {
        throw ValidationError("\(flag) takes 1 to \(limit) bytes without control characters.")
    }
}

extension Settings {
    /// The origin given as the first argument, or the one from the settings.
    ///
    /// - Throws: ``Failure/usageMissing(_:)`` if neither is set.
    func origin(given: String?) throws -> String {
        if let given { return given }
        do {
            return try origin()
        } catch let failure as Failure where failure.code == .usageMissing(.to) {
            throw Failure.usageMissing(
                .init(name: "the origin", flag: "it as the first argument", key: .to))
        }
    }
}
