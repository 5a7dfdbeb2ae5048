import ArgumentParser
import PackCore
import PackSettings

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
        usage: "packtool verify <origin> [--build <dir>] [<options>]",
        discussion: """
            An origin: re-reads and re-hashes everything a client could reach. A manifest: names every \
            file that is missing, extra or changed in the build.

            Example:
              packtool verify cdn
              packtool verify info.json --build dist
            """)

    @Argument(
        help: ArgumentHelp(
            "The origin (a directory or file:// URL), or an info.json.", valueName: "origin"),
        completion: .path)
    var target: String

    @Option(
        help: ArgumentHelp("The build to compare a manifest with.", valueName: "dir"),
        completion: .path)
    var build: String?

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) {
        settings.set(.build, build)
        exclude.give(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let started = Surroundings.monotonicSeconds()
        let settings = try settings()
        let path = try localOrigin(target)
        let (directory, name) = try ReadableFile.locateExisting(path)
        guard let kind = try directory.status(name)?.kind else {
            throw FileSystemError(operation: "open", path: path, number: ENOENT)
        }
        if kind != .directory {
            let source: String
            do {
                source = try settings.build()
            } catch {
                throw MissingSetting(
                    name: "the build to compare '\(target)' with", flag: "--build DIR", key: .build
                )
            }
            return try await verifyManifest(path, source, settings.exclusions, console)
        }
        guard build == nil else {
            throw InvalidWord(
                kind: "manifest", word: target,
                problem: "is a directory; --build needs a manifest file",
                example: "info.json")
        }
        let result = try await OriginVerifier.verify(
            path, now: try Surroundings.now(), jobs: try Surroundings.jobs(),
            progress: console.progress)
        for note in result.notes { console.note(note) }
        let seconds = Surroundings.monotonicSeconds() - started
        if output.json {
            console.print(json: OriginReportText.json(result, seconds))
        } else {
            OriginReportText.print(result, target, seconds, console)
        }
        if result.isSound { return 0 }
        OriginReportText.fail(result, target, console)
        return ExitCode.verification.rawValue
    }

    private func verifyManifest(
        _ path: String, _ source: String, _ exclusions: Exclusions, _ console: Console
    ) async throws -> Int32 {
        let bytes = try ReadableFile.read(path, limit: Manifest.sizeLimit)
        let manifest = try ManifestCoding.decode(bytes, place: path)
        let (release, _) = try await ReleaseSource.release(
            source, excluding: exclusions, console)
        let result = BuildVerification(manifest, against: release)
        if output.json {
            let names = { (paths: [AssetPath]) in JSONValue.strings(paths.map(\.description)) }
            console.print(
                json: .members([
                    "ok": .bool(result.isMatch), "version": .string(result.version.description),
                    "buildVersion": .string(release.version.description),
                    "missing": names(result.missing), "extra": names(result.extra),
                    "changed": names(result.changed),
                ]))
        } else if result.isMatch {
            console.say(
                "\(path) describes \(source): version \(result.version), "
                    + "\(counted(release.assets.count, "file"))")
        } else {
            for path in result.missing { console.print("missing  \(path)") }
            for path in result.extra { console.print("extra    \(path)") }
            for path in result.changed { console.print("changed  \(path)") }
        }
        if result.isMatch { return 0 }
        console.talk(
            """
            error: '\(path)' does not describe '\(source)': \(result.missing.count) missing, \
            \(result.extra.count) extra, \(result.changed.count) changed
            help: build again from a clean tree, or write a new manifest with 'packtool manifest'
            """)
        return ExitCode.verification.rawValue
    }
}
