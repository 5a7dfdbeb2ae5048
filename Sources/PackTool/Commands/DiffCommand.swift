import ArgumentParser
import PackRelease
import PackSettings

/// `packtool diff`.
struct DiffCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two releases: changed files and bytes.",
        usage: "packtool diff <old> <new> [--format <format>] [<options>]",
        discussion: """
            Each side is a build directory, a package, a manifest, an installation, or an origin \
            (a directory, s3://bucket/prefix or https:// address): its channel's current release, \
            or ORIGIN@VERSION or ORIGIN@LABEL. Files with a new name and content are paired by \
            content if both releases can be read, otherwise by name.

            Example:
              packtool diff dist-before dist
              packtool diff cdn/info.json dist --format json
              packtool diff cdn@1.0 cdn
              packtool diff phone dist
              packtool diff https://cdn.example.com/shop dist
            """)

    @Argument(help: ArgumentHelp("The old release.", valueName: "old"), completion: .path)
    var old: String

    @Argument(help: ArgumentHelp("The new release.", valueName: "new"), completion: .path)
    var new: String

    @Option(help: ArgumentHelp("The output format (default: text).", valueName: "format"))
    var format: ChangeFormat?

    @OptionGroup var list: LimitOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        line.apply(to: &settings)
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func validate() throws {
        try output.checkFormat(format?.rawValue)
        try list.check(format?.rawValue, json: output.json)
    }

    func run(_ console: Console) async throws -> Int32 {
        try exclude.refuse(for: [old, new])
        try line.refuse(for: [old, new])
        let request = try NamedRelease.Request(
            origins.opener(settings(console), for: [old, new], console))
        try await NamedRelease.with(new, request, console) { after in
            try await NamedRelease.with(old, request, beside: after.release, console) { before in
                let diff = try ReleaseDiff(from: before, to: after)
                show(DiffText(diff, from: before, to: after), console)
            }
        }
        return 0
    }

    private func show(_ text: DiffText, _ console: Console) {
        let limit = list.limit ?? Defaults.shownItems
        switch output.json ? .json : format ?? .text {
        case .text: console.print(text.text(limit: limit))
        case .json: console.print(json: text.json)
        case .github: console.print(text.github)
        case .markdown: console.print(text.markdown(limit: limit))
        }
    }
}
