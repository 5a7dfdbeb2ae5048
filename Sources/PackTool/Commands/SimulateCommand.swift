import ArgumentParser
import PackCheck
import PackDeltaFile
import PackGround
import PackRelease
import PackSettings

/// `packtool simulate`.
struct SimulateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Shows which files a deployed client has after an update.",
        usage: "packtool simulate <old> <new> [--client <profile>] [<options>]",
        discussion: """
            Runs the client's own update from one release to the other and requests every file of \
            the new one. Exit code 1 if the device would serve other content than the published \
            one. Each side is a build directory, a package, a manifest, an installation or an \
            origin: a directory, s3:// or https:// address (ORIGIN@VERSION, ORIGIN@LABEL). If the \
            old manifest has no hashes, files with the same name count as changed.

            Example:
              packtool simulate dist-before dist --client path-strict
              packtool simulate phone dist
              packtool simulate cdn/info.json dist --client capacitor --json
            """)

    @Argument(
        help: ArgumentHelp("The old release, as installed.", valueName: "old"), completion: .path)
    var old: String

    @Argument(help: ArgumentHelp("The new release.", valueName: "new"), completion: .path)
    var new: String

    @Option(
        help: ArgumentHelp(
            "The client's capabilities (default: the profiles of packtool.yaml); repeatable.",
            valueName: "profile"))
    var client: [ProfileName] = []

    @Option(
        help: ArgumentHelp("The new release's package, to compare sizes.", valueName: "file"),
        completion: .path)
    var package: String?

    @Option(
        help: ArgumentHelp("The delta between the two, to compare sizes.", valueName: "file"),
        completion: .path)
    var delta: String?

    @OptionGroup var line: ChannelOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(profiles: client)
        line.apply(to: &settings)
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        try exclude.refuse(for: [old, new])
        try line.refuse(for: [old, new])
        let roads = try SimulatedRoads(
            package: package ?? itself { !$0.hasSuffix(".json") }, delta: delta,
            info: itself { $0.hasSuffix(".json") })
        var request = NamedRelease.Request(try origins.opener(settings, for: [old, new], console))
        request.readsContent = false
        return try await NamedRelease.with(new, request, console) { [request] after in
            if let package { try await check(package, isOf: after.release, console) }
            return try await NamedRelease.with(old, request, beside: after.release, console) {
                before in
                if let delta { try check(delta, leadsFrom: before, to: after) }
                if !before.unknown.isEmpty {
                    console.note(
                        "'\(old)' has no hashes: \(counted(before.unknown.count, "file")) with the same name counted as changed"
                    )
                }
                let simulations = settings.profiles.map {
                    UpdateSimulation(from: before.release, to: after.release, profile: $0)
                }
                if output.json {
                    console.print(
                        json: .members([
                            "clients": .array(
                                simulations.map { $0.json(from: before, to: after, roads) })
                        ]))
                } else {
                    for simulation in simulations {
                        console.print(simulation.text(from: before, to: after, roads))
                    }
                }
                return simulations.allSatisfy(\.wrong.isEmpty) ? 0 : 1
            }
        }
    }

    /// Rejects a package of another release: its size would be meaningless here.
    private func check(
        _ package: String, isOf release: Release, _ console: Console
    ) async throws {
        let (directory, name) = try ReadableFile.locateExisting(package)
        let found = try await PackageFile.release(package, name, in: directory, console)
        guard found.packageHash == release.packageHash else {
            throw Failure.inputNotAPackage(path: package, problem: "is not the package of '\(new)'")
        }
    }

    /// Rejects a delta between other releases.
    private func check(
        _ delta: String, leadsFrom before: NamedRelease, to after: NamedRelease
    ) throws {
        let (directory, name) = try ReadableFile.locateExisting(delta)
        let found = try DeltaManifest.read(name, in: directory)
        // A manifest without hashes only has a version.
        guard
            before.isSeed
                ? found.from.description == before.version
                : found.fromHash == before.release.packageHash
        else { throw Failure.inputOtherDelta(path: delta, problem: "does not start from '\(old)'") }
        guard found.toHash == after.release.packageHash else {
            throw Failure.inputOtherDelta(path: delta, problem: "does not lead to '\(new)'")
        }
    }

    /// The new release itself if it is a file of that kind: a manifest or a package.
    private func itself(isKind: (String) -> Bool) throws -> String? {
        guard !OriginAddress(new).isRemote, try OriginRelease.findDirectory(new) == nil else {
            return nil
        }
        let (directory, name) = try ReadableFile.locateExisting(new)
        return try directory.status(name)?.kind == .file && isKind(name) ? new : nil
    }
}

extension Failure.Code {
    static let inputOtherDelta = Self("input.other-delta")
}

extension Failure {
    /// A delta between other releases.
    fileprivate static func inputOtherDelta(path: String, problem: String) -> Failure {
        Failure(.inputOtherDelta, "the delta '\(path)' \(problem)")
    }
}
