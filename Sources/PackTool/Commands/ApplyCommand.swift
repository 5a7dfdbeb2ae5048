import ArgumentParser
import PackDeltaFile
import PackGround
import PackRelease
import PackSettings

/// `packtool apply`.
struct ApplyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies a delta: the old release and the delta give the new release.",
        usage: "packtool apply <base> <delta> --output <dir> [<options>]",
        discussion: """
            The base is hashed before anything is written, and the new tree afterwards. If a hash \
            differs from that in the delta, the command fails and leaves no output.

            Example:
              packtool apply dist-before update.zip -o dist-now
            """)

    @Argument(
        help: ArgumentHelp(
            "The old release: a directory, a package or an installation.", valueName: "base"),
        completion: .path)
    var base: String

    @Argument(help: ArgumentHelp("The delta.", valueName: "delta"), completion: .path)
    var delta: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The directory to write, which must not exist yet.", valueName: "dir"),
        completion: .path)
    var target: String

    @Option(
        help: ArgumentHelp(
            "Also write the new release's info.json, which the delta carries.", valueName: "file"),
        completion: .path)
    var info: String?

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) { exclude.apply(to: &settings) }

    func run(_ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let jobs = try console.environment.jobs()
        let location = try OutputLocation.check(
            target, inputs: [.build(base), .file(delta)], isDirectory: true)
        let infoLocation = try info.map {
            // The tree is complete when it gets its name, so no file is written into it.
            guard !resolvedPath($0).hasBytes(resolvedPath(target) + "/") else {
                throw Failure.outputSameFile($0, target)
            }
            return try OutputLocation.check(
                $0, inputs: [.build(base), .file(delta)], replacing: .manifest)
        }
        try OutputLocation.refuseSame(
            [(target, location)]
                + (info.flatMap { info in infoLocation.map { [(info, $0)] } } ?? []))
        let (directory, file) = try ReadableFile.locateExisting(delta)
        let manifest = try await ReleaseSource.withBuild(
            base, excluding: settings.exclusions, takesInstallation: true, console
        ) { scan in
            try await TemporaryDirectory.with(in: location.directory, console) { staging in
                try staging.makeDirectory("tree")
                try staging.makeDirectory("work")
                let applied = try await DeltaApplier.apply(
                    file, in: directory,
                    to: AssetSource(tree: scan.directory, release: scan.release),
                    into: try staging.directory("tree"), work: try staging.directory("work"),
                    jobs: jobs, progress: console.progress)
                guard let info, let infoLocation else {
                    try OutputLocation.move("tree", of: staging, at: target, location)
                    return applied.manifest
                }
                try await TemporaryDirectory.with(in: infoLocation.directory, console) { beside in
                    try applied.writeInfo("info.json", in: beside, delta: delta)
                    try OutputLocation.move("tree", of: staging, at: target, location)
                    try OutputLocation.move(file: "info.json", of: beside, at: info, infoLocation)
                }
                return applied.manifest
            }
        }
        let seconds = console.environment.monotonicSeconds() - started
        if output.json {
            console.print(
                json: .members([
                    "from": .string(manifest.from.description),
                    "version": .string(manifest.to.description),
                    "packageHash": .string(manifest.toHash.description),
                    "tree": .string(target), "memory": .integer(manifest.memory),
                    "seconds": .decimal(secondsText(seconds)),
                ]))
        } else {
            var lines = Lines("applied \(delta): release \(manifest.to)")
            lines.add("from", manifest.from.description)
            lines.add("tree", target)
            lines.add("proved", "every byte of it hashed")
            lines.add("time", "\(secondsText(seconds)) s")
            console.stdout(lines.text)
        }
        return 0
    }
}
