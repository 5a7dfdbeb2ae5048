import ArgumentParser
import PackCore
import PackReport
import PackSettings

/// `packtool report`.
struct ReportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Shows a release: sizes, what an update costs and why, what changed, findings.",
        usage: """
            packtool report [<old>] <new> --output <report.html> [<options>]
            packtool report [<old>] <new> --format markdown [<options>]
            """,
        discussion: """
            Writes one page without scripts that needs nothing else: treemaps of the package, the cost \
            of an update by way and by file, changes, findings by rule, budgets, and the history of an \
            origin's channel. As Markdown it is a comment of at most 60 lines for a pull request. Each \
            side is a build directory, a package or an origin: a directory, s3:// or https:// address (its \
            channel's current release, ORIGIN@VERSION or ORIGIN@LABEL); the old one may be a manifest, from which no delta is made.

            Example:
              packtool report cdn dist -o report.html
              packtool report dist-before dist --format markdown
              packtool report cdn dist -o report.html --save markdown=comment.md
            """)

    /// The forms of the output.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case html, json, markdown
    }

    @Argument(
        help: ArgumentHelp(
            "The old release, if it is compared with one, and the new one.", valueName: "release"),
        completion: .path)
    var releases: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"),
        completion: .path)
    var file: String?

    @Option(help: ArgumentHelp("The form of the output (default: html).", valueName: "format"))
    var format: Format?

    @OptionGroup var save: SaveOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var level: LevelOption
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) {
        if let new = releases.last { settings.set(.build, new) }
        line.give(to: &settings)
        level.give(to: &settings)
        pages.give(to: &settings)
        launch.give(to: &settings)
        exclude.give(to: &settings)
        origins.give(to: &settings)
    }

    func validate() throws {
        try output.checkFormat(format?.rawValue)
        guard releases.count <= 2 else {
            throw ValidationError("Give the old release and the new one, or only the new one.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings()
        let new = try settings.build()
        let old = releases.count == 2 ? releases.first : nil
        let inputs = [new, old].compactMap { $0 }.compactMap(OutputInput.init(release:))
        let place = try file.map { try OutputPlace.check($0, inputs: inputs) }
        let saved = try save.files(Format.self, inputs: inputs)
        let opener = try origins.opener(settings, for: [new, old].compactMap { $0 })
        let report = try await ReportSource(opener, console).report(from: old, to: new)
        for file in saved { try await file.write(Self.bytes(of: report, file.format)) }
        let bytes = Self.bytes(of: report, output.json ? .json : format ?? .html)
        guard let file, let place else {
            if output.json || format == .json {
                console.print(json: ReportJSON.document(report))
            } else {
                console.print(bytes: bytes)
            }
            return 0
        }
        try await OutputPlace.write(bytes, to: file, place)
        if output.json {
            console.print(json: ReportJSON.document(report))
        } else {
            console.say("wrote \(file), \(readableSize(UInt64(bytes.count)))")
        }
        return 0
    }

    private static func bytes(of report: ReleaseReport, _ format: Format) -> [UInt8] {
        switch format {
        case .html: ReportPage(report).bytes
        case .json: Console.bytes(of: ReportJSON.document(report))
        case .markdown: Array((ReportMarkdown.text(report).string + "\n").utf8)
        }
    }
}
