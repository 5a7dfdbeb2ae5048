import ArgumentParser
import PackArchive
import PackGround
import PackRelease
import PackSettings

/// `packtool package`.
struct PackageCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Writes the package of a build: one zip, reproducible byte for byte.",
        usage: "packtool package [<dir>] --output <file.zip> [<options>]",
        discussion: """
            The archive is read back and every hash verified before the output file is created. \
            With --reuse, unchanged files are copied in compressed form from an earlier package.

            Example:
              packtool package dist -o shop.zip
              packtool package dist -o shop.zip --level max --reuse shop-before.zip
            """)

    @Argument(
        help: ArgumentHelp("The build output, or a package.", valueName: "dir"), completion: .path)
    var build: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The package to write.", valueName: "file.zip"), completion: .path)
    var file: String

    @Option(
        help: ArgumentHelp(
            "An earlier package to copy unchanged files from.", valueName: "old.zip"),
        completion: .path
    )
    var reuse: String?

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var level: LevelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        exclude.apply(to: &settings)
        level.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let jobs = try console.environment.jobs()
        let level = settings.level
        let source = try settings.build()
        try exclude.refuse(for: [source])
        // A package may be repackaged in place.
        let isPackage = resolvedPath(source) == resolvedPath(file)
        let (directory, name) = try OutputLocation.check(
            file, inputs: isPackage ? [] : [.build(source)], replacing: .archive)
        let (scan, result) = try await ReleaseSource.withBuild(
            source, excluding: settings.exclusions, console
        ) { scan in
            let earlier = try openReuse(level, console)
            let builder = PackageBuilder(
                scan: scan, level: level, jobs: jobs, progress: console.progress)
            return try await TemporaryDirectory.with(in: directory, console) { staging in
                let result = try await builder.build("package.zip", in: staging, reuse: earlier)
                try OutputLocation.move(
                    file: "package.zip", of: staging, at: file, (directory, name))
                return (scan, result)
            }
        }
        for note in result.notes { console.note(note) }
        report(
            scan, result, level, seconds: console.environment.monotonicSeconds() - started, console)
        return 0
    }

    private func openReuse(_ level: CompressionLevel, _ console: Console) throws -> ReuseArchive? {
        guard let reuse else { return nil }
        let (directory, name) = try ReadableFile.locateExisting(reuse)
        let archive = try ReuseArchive.open(name, in: directory, level: level)
        if archive == nil {
            console.note(
                "'\(reuse)' was packed at another level or by another compressor: "
                    + "every file is compressed again")
        }
        return archive
    }

    private func report(
        _ scan: BuildScan, _ result: PackageBuilder.Result, _ level: CompressionLevel,
        seconds: Double, _ console: Console
    ) {
        let release = scan.release
        let written = result.written
        if output.json {
            console.print(
                json: .members([
                    "version": .string(release.version.description),
                    "packageHash": .string(release.packageHash.description),
                    "file": .string(file), "sha256": .string(result.digest.sha256.description),
                    "size": .integer(result.digest.size), "level": .string(level.rawValue),
                    "files": .integer(release.assets.count), "bytes": .integer(release.totalBytes),
                    "deflated": .integer(written.deflatedFiles),
                    "stored": .integer(written.storedFiles),
                    "reused": .integer(written.reusedFiles),
                    "reusedBytes": .integer(written.reusedBytes), "excluded": scan.leftOut.json,
                    "seconds": .decimal(secondsText(seconds)),
                ]))
            return
        }
        var lines = Lines("wrote \(file), version \(release.version)")
        lines.add(
            "files", "\(counted(release.assets.count, "file")), \(readableSize(release.totalBytes))"
        )
        lines.add(
            "package",
            "\(readableSize(result.digest.size)) (\(share(result.digest.size, release.totalBytes))), "
                + "\(written.storedFiles) stored without compression")
        if written.reusedFiles > 0 {
            lines.add(
                "reused",
                "\(counted(written.reusedFiles, "file")), \(readableSize(written.reusedBytes)) not compressed again"
            )
        }
        lines.add("sha256", result.digest.sha256.description)
        lines.add("proved", "read back, every hash verified")
        lines.add("time", "\(secondsText(seconds)) s")
        console.stdout(lines.text)
    }
}
