import ArgumentParser
import PackArchive
import PackGround
import PackRelease
import PackSettings
import PackZip

/// `packtool manifest`.
struct ManifestCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Writes info.json, the manifest of a build.",
        usage: "packtool manifest [<dir>] [--output <file>] [<options>]",
        discussion: """
            Without --output, prints the manifest. It names a package only with --package.

            Example:
              packtool manifest dist --app shop --base-url https://cdn.example.com/shop
              packtool manifest -o info.json
              packtool verify info.json --build dist
            """)

    @Argument(
        help: ArgumentHelp("The build output, or a package.", valueName: "dir"), completion: .path)
    var build: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write.", valueName: "file"), completion: .path)
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The package of the same build, to be named in the manifest.", valueName: "file.zip"),
        completion: .path)
    var package: String?

    @Option(help: ArgumentHelp("The source commit, recorded in the manifest.", valueName: "id"))
    var commit: String?

    @OptionGroup var identity: IdentityOptions
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var profile: ProfileOption
    @OptionGroup var scheme: SchemeOption
    @OptionGroup var launch: LaunchOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        identity.apply(to: &settings)
        exclude.apply(to: &settings)
        profile.apply(to: &settings)
        scheme.apply(to: &settings)
        launch.apply(to: &settings)
    }

    func validate() throws { try checkCommit(commit) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        try settings.require([.build, .app, .baseURL], console)
        let request = try settings.manifestRequest(commit: commit)
        let source = try settings.build()
        try exclude.refuse(for: [source])
        if let file {
            let inputs = [.build(source)] + (package.map { [OutputInput.file($0)] } ?? [])
            _ = try OutputLocation.check(
                file, inputs: inputs, isOptional: true, replacing: .manifest)
        }
        let (release, leftOut) = try await ReleaseSource.release(
            source, excluding: settings.exclusions, console)
        let manifest = try request.manifest(
            of: release, package: try await reference(release, request, source, console))
        let bytes = try ManifestCoding.encode(manifest)
        guard let path = file else {
            console.print(bytes: bytes)
            return 0
        }
        try await ReadableFile.replace(path, with: bytes, console)
        if output.json {
            console.print(
                json: .members([
                    "version": .string(release.version.description),
                    "packageHash": .string(release.packageHash.description),
                    "files": .integer(release.assets.count), "bytes": .integer(release.totalBytes),
                    "excluded": leftOut.json, "manifest": .string(path),
                ]))
        } else {
            console.stdout(
                "wrote \(path): version \(release.version), \(counted(release.assets.count, "file")), "
                    + "\(readableSize(release.totalBytes))")
        }
        return 0
    }

    /// The package named in the manifest: the given one, or the source if it is a package.
    private func reference(
        _ release: Release, _ request: ManifestRequest, _ source: String, _ console: Console
    ) async throws -> ContentReference? {
        let (sourceDirectory, sourceName) = try ReadableFile.locateExisting(source)
        let isPackage = try sourceDirectory.status(sourceName)?.kind == .file
        guard let path = package ?? (isPackage ? source : nil) else { return nil }
        let (directory, name) = try ReadableFile.locateExisting(path)
        try await PackageReader(name, in: directory, expecting: release)
            .prove(jobs: try console.environment.jobs(), progress: console.progress)
        let digest = try FileDigest.of(name, in: directory)
        return ContentReference(
            url: request.baseURL.url(of: OriginLayout.package(release.version)),
            sha256: digest.sha256, size: digest.size)
    }
}
