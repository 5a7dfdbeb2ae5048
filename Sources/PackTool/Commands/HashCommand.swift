import ArgumentParser
import PackGround
import PackRelease
import PackSettings

/// `packtool hash`.
struct HashCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Prints the version of a build: the hash of its content.",
        usage: "packtool hash [<dir>] [--listing] [--exclude <pattern>]",
        discussion: """
            The same content has the same version on every machine. --listing prints the format of \
            sha256sum, one line per asset; the SHA-256 of this listing is the package hash, and \
            its first 20 digits are the version.

            Example:
              packtool hash dist
              packtool hash dist --listing | sha256sum
              packtool hash phone
            """)

    @Argument(
        help: ArgumentHelp(
            "The build output, a package, or an installation.", valueName: "dir"), completion: .path
    )
    var build: String?

    @Flag(help: "Print the listing: SHA-256 and path of every asset.")
    var listing = false

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        exclude.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let build = try settings.build()
        try exclude.refuse(for: [build])
        let (release, leftOut) = try await ReleaseSource.release(
            build, excluding: settings.exclusions, takesInstallation: true, console)
        if output.json {
            console.print(json: json(build, release, leftOut))
        } else if listing {
            console.print(bytes: release.listing)
        } else {
            console.print("\(release.version)")
        }
        return 0
    }

    private func json(_ build: String, _ release: Release, _ leftOut: LeftOut) -> JSONValue {
        .members([
            "build": .string(build),
            "version": .string(release.version.description),
            "packageHash": .string(release.packageHash.description),
            "files": .integer(release.assets.count), "bytes": .integer(release.totalBytes),
            "excluded": leftOut.json,
            "assets": listing
                ? .array(
                    release.assets.map {
                        .members([
                            "path": .string($0.path.description),
                            "sha256": .string($0.sha256.description), "size": .integer($0.size),
                        ])
                    }) : nil,
        ])
    }
}
