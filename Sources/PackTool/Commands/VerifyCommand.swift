import ArgumentParser
import PackGround
import PackOrigin
import PackProfile
import PackRelease
import PackS3
import PackSettings
import PackVerify

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `packtool verify`.
struct VerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies an origin, or compares a manifest with a build.",
        usage: "packtool verify [<origin>] [--build <dir>] [<options>]",
        discussion: """
            An origin: reads and hashes every file that a client can reach, and checks signatures, \
            starting with --trust. An https:// address: reads the same files through the CDN as \
            clients do, and checks caching, types, ranges and the answer for a missing file. A \
            bucket with --conditional-writes: only tests the store's conditional writes. A \
            manifest: lists missing, extra, changed and renamed files of the build.

            Example:
              packtool verify cdn
              packtool verify https://cdn.example.com/shop --against cdn
              packtool verify info.json --build dist
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The origin (a directory, file:// or https:// URL, or s3://bucket/prefix; default: 'to' of \
            packtool.yaml), or an info.json.
            """,
            valueName: "origin"),
        completion: .path)
    var given: String?

    @Option(
        help: ArgumentHelp("The build to compare a manifest with.", valueName: "dir"),
        completion: .path)
    var build: String?

    @Option(help: ArgumentHelp("The output format (default: text).", valueName: "format"))
    var format: ChangeFormat?

    @Flag(
        help:
            "Only test whether the store supports conditional writes; the bucket may be empty (s3)."
    )
    var conditionalWrites = false

    @OptionGroup var remote: RemoteVerifyOptions
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var line: ChannelOption
    @OptionGroup var list: LimitOption
    @OptionGroup var trust: TrustOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        bucket.apply(to: &settings)
        line.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func validate() throws {
        try output.checkFormat(format?.rawValue)
        try list.check(format?.rawValue, json: output.json)
        try remote.check()
        if conditionalWrites, build != nil || trust.trust != nil {
            throw ValidationError(
                "--conditional-writes verifies nothing else; leave out --build and --trust.")
        }
        if conditionalWrites, format == .github || format == .markdown {
            throw ValidationError("--conditional-writes prints text, or JSON with --json.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let target = try settings.origin(given: given)
        let address = OriginAddress(target)
        if !address.isBucket, !OriginAddress(remote.against ?? "").isBucket {
            try bucket.refuse(for: target)
        }
        if conditionalWrites, !address.isBucket {
            throw needsBucket(target, "--conditional-writes")
        }
        if address.isRemote { try exclude.refuse(for: [target]) }
        switch address {
        case .directory: return try await verifyFiles(target, settings, started, console)
        case .bucket: return try await verifyBucket(target, settings, started, console)
        case .web: return try await verifyAddress(target, settings, started, console)
        }
    }

    /// Verifies an origin in a directory, or a manifest.
    private func verifyFiles(
        _ target: String, _ settings: Settings, _ started: Double, _ console: Console
    ) async throws -> Int32 {
        let path = try existingOrigin(target)
        let (directory, name) = try ReadableFile.locateExisting(path)
        guard let kind = try directory.status(name)?.kind else {
            throw Failure.fileSystem("open", path, number: ENOENT)
        }
        try remote.refuse(for: target)
        if line.channel != nil { throw needsAddress(target, "--channel") }
        if kind != .directory {
            let source: String
            do {
                source = try settings.build()
            } catch {
                throw Failure.usageMissing(
                    .init(
                        name: "the build to compare '\(target)' with", flag: "--build DIR",
                        key: .build))
            }
            return try await verifyManifest(path, source, settings.exclusions, console)
        }
        try exclude.refuse(for: [target])
        return try await verifyOrigin(target, StoreOpener.list(path), started, console)
    }

    private func verifyBucket(
        _ target: String, _ settings: Settings, _ started: Double, _ console: Console
    ) async throws -> Int32 {
        try remote.refuse(for: target)
        if line.channel != nil { throw needsAddress(target, "--channel") }
        if conditionalWrites { return try await tryConditions(target, settings, started, console) }
        return try await verifyOrigin(
            target, OriginOpener(settings: settings, console).list(OriginAddress(target)), started,
            console)
    }

    private func tryConditions(
        _ target: String, _ settings: Settings, _ started: Double, _ console: Console
    ) async throws -> Int32 {
        try refuseBuild(of: target)
        guard
            let found = try await OriginOpener(settings: settings, console)
                .tryConditions(OriginAddress(target))
        else { throw needsBucket(target, "--conditional-writes") }
        let text = StoreConditionsText(
            found, target, seconds: console.environment.monotonicSeconds() - started)
        if output.json || format == .json {
            console.print(json: text.json)
        } else {
            console.stdout(text.text)
        }
        return 0
    }

    private func verifyOrigin(
        _ target: String, _ store: any ListingStore, _ started: Double, _ console: Console
    ) async throws -> Int32 {
        try refuseBuild(of: target)
        let result = try await OriginVerifier.verify(
            store, now: try console.environment.clientTime(), jobs: try console.environment.jobs(),
            trust: try trust.pin(), progress: console.progress)
        return report(result, target, isAddress: false, started, console)
    }

    private func refuseBuild(of target: String) throws {
        guard build == nil else {
            throw Failure.invalidArgument(
                kind: "manifest", word: target,
                problem: "is \(OriginAddress(target).isWeb ? "an address" : "a directory"); "
                    + "--build needs a manifest file",
                example: "info.json")
        }
    }

    private func report(
        _ result: Verification, _ origin: String, isAddress: Bool, _ started: Double,
        _ console: Console
    ) -> Int32 {
        for note in result.notes { console.note(note) }
        let seconds = console.environment.monotonicSeconds() - started
        let text = VerificationReport(result, origin, seconds, isAddress: isAddress)
        let limit = list.limit ?? Defaults.shownItems
        switch output.json ? .json : format ?? .text {
        case .json: console.print(json: text.json)
        case .text: text.print(limit: limit, console)
        case .github: console.print(text.github)
        case .markdown: console.print(text.markdown(limit: limit))
        }
        if result.isSound { return 0 }
        text.fail(console)
        return ExitCode.verification.rawValue
    }

    private func verifyAddress(
        _ target: String, _ settings: Settings, _ started: Double, _ console: Console
    ) async throws -> Int32 {
        try refuseBuild(of: target)
        let store = try remote.store(target, console)
        let result = try await TemporaryDirectory.with(console) { scratch in
            var request = HTTPVerifier.Request(
                channel: try settings.channel(), now: try console.environment.clientTime(),
                jobs: try console.environment.jobs(), scratch: scratch)
            request.trust = try trust.pin()
            request.depth = remote.depth ?? Defaults.verifiedPointers
            request.readsAll = remote.all
            request.source = try remote.source(settings, console)
            request.webOrigins = settings.webOrigins
            request.progress = console.progress
            return try await HTTPVerifier(store, request, random: { Double.random(in: 0...1) })
                .verify()
        }
        return report(result, store.address, isAddress: true, started, console)
    }

    private func verifyManifest(
        _ path: String, _ source: String, _ exclusions: Exclusions, _ console: Console
    ) async throws -> Int32 {
        let bytes = try ReadableFile.read(path, limit: Manifest.sizeLimit)
        let manifest = try ManifestCoding.decode(bytes, path: path)
        let (release, _) = try await ReleaseSource.release(
            source, excluding: exclusions, console)
        let text = BuildVerificationText(manifest, at: path, against: release, in: source)
        let limit = list.limit ?? Defaults.shownItems
        switch output.json ? .json : format ?? .text {
        case .json: console.print(json: text.json)
        case .text where text.result.isMatch: console.stdout(text.text(limit: limit))
        case .text: console.print(text.text(limit: limit))
        case .github: console.print(text.github)
        case .markdown: console.print(text.markdown(limit: limit))
        }
        if text.result.isMatch { return 0 }
        console.stderr(
            """
            error: '\(path)' does not describe '\(source)': \(text.counts)
            help: build again from a clean tree, or write a new manifest with 'packtool manifest'
            """)
        return ExitCode.verification.rawValue
    }
}
