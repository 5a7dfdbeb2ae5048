import ArgumentParser
import PackCore
import PackSettings

/// `packtool diff`.
struct DiffCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what changed between two releases, in names and bytes.",
        usage: "packtool diff <old> <new> [--format <format>] [<options>]",
        discussion: """
            Each side is a build directory, a package or a manifest.

            Example:
              packtool diff dist-before dist
              packtool diff cdn/info.json dist --format json
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @Argument(help: ArgumentHelp("The old release.", valueName: "old"), completion: .path)
    var old: String

    @Argument(help: ArgumentHelp("The new release.", valueName: "new"), completion: .path)
    var new: String

    @Option(help: ArgumentHelp("The form of the output (default: text).", valueName: "format"))
    var format: Format?

    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) { exclude.give(to: &settings) }

    func validate() throws { try output.checkFormat(format?.rawValue) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings()
        let before = try await ReleaseSource.release(
            old, excluding: settings.exclusions, console, allowsManifest: true
        ).release
        let after = try await ReleaseSource.release(
            new, excluding: settings.exclusions, console, allowsManifest: true
        ).release
        let diff = ReleaseDiff(from: before, to: after)
        if output.json || format == .json {
            console.print(json: json(diff, before, after))
        } else {
            console.print(text(diff, before, after))
        }
        return 0
    }

    private func json(_ diff: ReleaseDiff, _ before: Release, _ after: Release) -> JSONValue {
        let side = { (release: Release) -> JSONValue in
            .members([
                "version": .string(release.version.description),
                "packageHash": .string(release.packageHash.description),
                "files": .integer(release.assets.count), "bytes": .integer(release.totalBytes),
            ])
        }
        let asset = { (asset: Asset) -> JSONValue in
            .members([
                "path": .string(asset.path.description), "size": .integer(asset.size),
                "sha256": .string(asset.sha256.description),
            ])
        }
        return .members([
            "old": side(before), "new": side(after),
            "added": .array(diff.added.map(asset)), "removed": .array(diff.removed.map(asset)),
            "changed": .array(
                diff.changed.map {
                    .members([
                        "path": .string($0.new.path.description), "oldSize": .integer($0.old.size),
                        "newSize": .integer($0.new.size),
                        "oldSha256": .string($0.old.sha256.description),
                        "newSha256": .string($0.new.sha256.description),
                    ])
                }),
            "moved": .array(
                diff.moved.map {
                    .members([
                        "from": .string($0.old.path.description),
                        "to": .string($0.new.path.description),
                        "size": .integer($0.new.size),
                    ])
                }),
            "unchanged": .integer(diff.unchanged.count),
            "newContentBytes": .integer(diff.newContentBytes),
        ])
    }

    private func text(_ diff: ReleaseDiff, _ before: Release, _ after: Release) -> Text {
        var lines: [String] = []
        if diff.isEmpty {
            return "\(after.version): the same content, \(counted(after.assets.count, "file"))"
        }
        lines.append("\(before.version) -> \(after.version)")
        lines += diff.added.map { "  + \($0.path)  \(readableSize($0.size))" }
        lines += diff.removed.map { "  - \($0.path)  \(readableSize($0.size))" }
        lines += diff.changed.map {
            "  ~ \($0.new.path)  \(readableSize($0.old.size)) -> \(readableSize($0.new.size))"
        }
        lines += diff.moved.map {
            "  > \($0.old.path) -> \($0.new.path)  \(readableSize($0.new.size))"
        }
        lines.append(
            "\(diff.added.count) added, \(diff.removed.count) removed, \(diff.changed.count) changed, "
                + "\(diff.moved.count) moved, \(diff.unchanged.count) unchanged; "
                + "\(readableSize(diff.newContentBytes)) of new content")
        return Text(lines: lines)
    }
}
