import ArgumentParser
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackRelease
import PackSettings

/// `packtool delta`.
struct DeltaCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "delta",
        abstract: "Writes a delta, which updates an installed older release to a newer one.",
        usage: """
            packtool delta <old> <new> --output <file.zip> [<options>]
            packtool delta --from <release> --at <origin> <new> --output <file.zip>
            packtool delta --explain <file.zip> [<old>]
            """,
        discussion: """
            Each side is a build directory, a package, an installation or an origin: a directory, \
            s3:// or https:// address (ORIGIN@VERSION, ORIGIN@LABEL). With --at, the old side is \
            the name of a release of an origin. The delta is applied and the result hashed before \
            the output file is created. With --info, the delta contains the new release's \
            info.json, so clients need not fetch it.

            Example:
              packtool delta dist-before dist -o update.zip
              packtool delta --from 1.0 --at cdn dist -o update.zip
              packtool delta --explain update.zip dist-before
            """)

    @Argument(
        help: ArgumentHelp(
            "The old release (not with --at) and the new one.", valueName: "release"),
        completion: .path
    )
    var releases: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The delta to write.", valueName: "file.zip"), completion: .path)
    var file: String?

    @Option(
        help: ArgumentHelp("The old release's version or label at an origin.", valueName: "release")
    )
    var from: String?

    @Option(
        help: ArgumentHelp("The origin of the old release.", valueName: "origin"),
        completion: .path)
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The new release's info.json, for the delta to carry.", valueName: "file"),
        completion: .path)
    var info: String?

    @Option(
        help: ArgumentHelp("Show the contents of a delta.", valueName: "file.zip"),
        completion: .path)
    var explain: String?

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func validate() throws {
        if explain != nil {
            guard releases.count <= 1, file == nil, from == nil, at == nil, info == nil else {
                throw ValidationError("--explain takes a delta and, to see more, the old release.")
            }
            return
        }
        guard file != nil else {
            throw ValidationError("Missing expected argument '--output <file.zip>'.")
        }
        guard (from == nil) == (at == nil) else {
            throw ValidationError("--from and --at belong together.")
        }
        let wanted = from == nil ? 2 : 1
        guard releases.count == wanted else {
            throw ValidationError(
                wanted == 2
                    ? "Give the old release and the new one." : "Give the new release.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let exclusions = settings.exclusions
        try exclude.refuse(for: explain == nil ? releases : releases + ["the delta"])
        let opener = try origins.opener(settings, for: [at].compactMap { $0 } + releases, console)
        if let explain {
            try await explainDelta(explain, exclusions, opener, console)
            return 0
        }
        guard let file, let new = releases.last else { return ExitCode.usage.rawValue }
        let started = console.environment.monotonicSeconds()
        let jobs = try console.environment.jobs()
        let inputs = ([at] + releases).compactMap { $0 }
        let (directory, name) = try OutputLocation.check(
            file, inputs: inputs.compactMap(OutputInput.init(release:)), replacing: .archive)
        let result = try await ReleaseSource.withBuild(
            new, excluding: exclusions, origins: opener, console
        ) { scan in
            let target = AssetSource(tree: scan.directory, release: scan.release)
            let info = try info.map { try Self.info($0, of: scan.release) }
            return try await withOld(exclusions, opener, console) { old in
                try await TemporaryDirectory.with(in: directory, console) { staging in
                    let result = try await DeltaBuilder(
                        from: old, to: target, info: info, jobs: jobs, progress: console.progress
                    ).buildProved("delta.zip", in: staging)
                    try OutputLocation.move(
                        file: "delta.zip", of: staging, at: file, (directory, name))
                    return result
                }
            }
        }
        report(result, console.environment.monotonicSeconds() - started, console)
        return 0
    }

    /// The manifest of a release, to include in its delta.
    ///
    /// - Throws: ``Failure/deltaInfoRefused(file:problem:)`` if it belongs to another release, or cannot be reproduced from its
    ///   files.
    private static func info(_ file: String, of release: Release) throws -> DeltaBuilder.Info {
        let (directory, name) = try ReadableFile.locateExisting(file)
        let bytes = try directory.readFile(name, limit: Manifest.sizeLimit)
        let manifest = try ManifestCoding.decode(bytes, path: file)
        guard manifest.release == release else {
            throw Failure.deltaInfoRefused(
                file: file, problem: "describes another release than the new one")
        }
        let digest = try FileDigest.of(name, in: directory)
        guard let info = DeltaBuilder.Info(manifest, digest: digest) else {
            throw Failure.deltaInfoRefused(file: file, problem: "is not as packtool writes it")
        }
        return info
    }

    private func explainDelta(
        _ file: String, _ exclusions: Exclusions, _ opener: OriginOpener, _ console: Console
    ) async throws {
        let (directory, name) = try ReadableFile.locateExisting(file)
        let explanation: DeltaExplanation
        if let old = releases.first {
            explanation = try await ReleaseSource.withBuild(
                old, excluding: exclusions, origins: opener, console
            ) { scan in
                try DeltaExplanation(
                    of: name, in: directory,
                    base: AssetSource(tree: scan.directory, release: scan.release))
            }
        } else {
            explanation = try DeltaExplanation(of: name, in: directory, base: nil)
        }
        if output.json {
            console.print(json: explanation.json)
        } else {
            console.print(explanation.text)
        }
    }

    private func withOld<Result>(
        _ exclusions: Exclusions, _ opener: OriginOpener, _ console: Console,
        _ body: (AssetSource) async throws -> Result
    ) async throws -> Result {
        if let at, let from {
            let origin = try OriginRelease(at, from, opener)
            guard origin.directory != nil else {
                return try await ReleaseSource.withUnpacked(
                    origin, opener.settings.channel(), console
                ) { scan in
                    try await body(AssetSource(tree: scan.directory, release: scan.release))
                }
            }
            let release = try await origin.manifest(opener.settings.channel()).release
            return try await origin.store.withObjects(of: release) {
                try await body(AssetSource(objects: $0, release: release))
            }
        }
        return try await ReleaseSource.withBuild(
            releases[0], excluding: exclusions, origins: opener, console
        ) { scan in
            try await body(AssetSource(tree: scan.directory, release: scan.release))
        }
    }

    private func report(_ result: DeltaBuilder.Result, _ seconds: Double, _ console: Console) {
        let manifest = result.manifest
        if output.json {
            console.print(
                json: .members([
                    "from": .string(manifest.from.description),
                    "to": .string(manifest.to.description), "file": .string(file ?? ""),
                    "sha256": .string(result.digest.sha256.description),
                    "size": .integer(result.digest.size), "memory": .integer(result.memory),
                    "codedBytes": .integer(result.codedBytes),
                    "seconds": .decimal(secondsText(seconds)),
                ]))
            return
        }
        var lines = Lines("wrote \(file ?? ""), \(readableSize(result.digest.size))")
        lines.add("from", manifest.from.description)
        lines.add("to", manifest.to.description)
        lines.add("memory", "\(readableSize(UInt64(result.memory))) to apply it")
        lines.add("proved", "applied, every byte of the result hashed")
        lines.add("time", "\(secondsText(seconds)) s")
        console.stdout(lines.text)
    }
}

extension Failure.Code {
    static let deltaInfoRefused = Self("delta.info-refused")
}

extension Failure {
    /// A manifest that cannot be included in a delta.
    fileprivate static func deltaInfoRefused(file: String, problem: String) -> Failure {
        Failure(.deltaInfoRefused, "'\(file)' \(problem)")
    }
}
