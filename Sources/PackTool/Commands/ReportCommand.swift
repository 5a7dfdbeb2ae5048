import ArgumentParser
import PackCheck
import PackGround
import PackReport
import PackSettings

/// `packtool report`.
struct ReportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Reports on a release: sizes, the cost of an update with reasons, changes, findings.",
        usage: """
            packtool report [<old>] <new> --output <report.html> [<options>]
            packtool report [<old>] <new> --format markdown [<options>]
            """,
        discussion: """
            Writes one self-contained page without scripts. It starts with the verdict of the \
            check, new findings, the cost of an update and the budgets, followed by changes, \
            treemaps of the package and the history of an origin's channel. As Markdown, it is a \
            pull-request comment of at most 60 lines. Each side is a build directory, a package, \
            an installation or an origin: a directory, s3:// or https:// address (its channel's \
            current release, ORIGIN@VERSION or ORIGIN@LABEL); the old one may also be a manifest, \
            but then no delta is made.

            --findings also runs the check, reading the build only once: it prints the findings in \
            a format of 'packtool check', and exits with 1, with the reason, if 'check' would. \
            --engine opens the pages of both releases and shows their first screens.

            Example:
              packtool report cdn dist -o report.html
              packtool report dist-before dist --format markdown
              packtool report cdn dist -o report.html --save markdown=comment.md
              packtool report cdn dist -o report.html --findings sarif=f.sarif
              packtool report cdn dist -o report.html --engine
            """)

    /// The output formats.
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
        help: ArgumentHelp(
            "The file to write (default: standard output, but HTML is not written to a terminal).",
            valueName: "file"),
        completion: .path)
    var file: String?

    @Option(help: ArgumentHelp("The output format (default: html).", valueName: "format"))
    var format: Format?

    @OptionGroup var save: SaveOption

    @Option(
        help: ArgumentHelp(
            "Write the findings as 'check' does, such as sarif=FILE, or to standard output as text or github; repeatable.",
            valueName: "format[=file]"))
    var findings: [String] = []

    @Option(
        help: ArgumentHelp(
            "The build's path in the repository, for --findings (default: as given).",
            valueName: "path"))
    var pathPrefix: String?

    @OptionGroup var opening: EngineOptions
    @OptionGroup var missing: MissingOption
    @OptionGroup var list: FindingsLimitOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var level: LevelOption
    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var origins: OriginOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        if let new = releases.last { settings.set(.build, new) }
        line.apply(to: &settings)
        level.apply(to: &settings)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
        origins.apply(to: &settings)
    }

    func validate() throws {
        try output.checkFormat(format?.rawValue)
        guard releases.count <= 2 else {
            throw ValidationError("Give the old release and the new one, or only the new one.")
        }
        if missing.allowMissing, releases.count < 2 {
            throw ValidationError("--allow-missing is about the old release; give both.")
        }
        if pathPrefix != nil, findings.isEmpty {
            throw ValidationError("--path-prefix is for --findings.")
        }
        let forms = findings.map { String($0.prefix { $0 != "=" }) }
        try list.check(forms)
        let printed = findings.count { !$0.contains("=") }
        guard printed == 0 || printed == 1 && file != nil && !output.json else {
            throw ValidationError(
                printed > 1
                    ? "Only one --findings can go to standard output; give the others a file: FORMAT=FILE."
                    : "--findings without a file goes to standard output, as the report does; give one of them a file."
            )
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        if file == nil, !output.json, format ?? .html == .html, console.environment.printsToTerminal
        {
            throw Failure.reportTerminal(releases: releases)
        }
        let new = try settings.build()
        let given = releases.count == 2 ? releases.first : nil
        try exclude.refuse(for: [given, new].compactMap { $0 })
        try line.refuse(for: [given, new].compactMap { $0 })
        let inputs = [new, given].compactMap { $0 }.compactMap(OutputInput.init(release:))
        let path = try file.map {
            try OutputLocation.check(
                $0, inputs: inputs, isOptional: true,
                replacing: OutputMark(format: (output.json ? .json : format ?? .html).rawValue))
        }
        let saved = try save.files(Format.self, inputs: inputs)
        let findings = try findingsFiles(inputs)
        try OutputLocation.refuseSame(
            (file.flatMap { file in path.map { [(file, $0)] } } ?? [])
                + saved.map { ($0.file, $0.location) }
                + findings.files.map { ($0.file, $0.location) })
        let opener = try origins.opener(settings, for: [new, given].compactMap { $0 }, console)
        let old: String?
        if let given {
            old = try await missing.present(given, opener, console)
        } else {
            old = nil
        }
        let (report, checked) = try await ReportSource(
            opener, engine: opening.request, console
        ).report(from: old, to: new)
        let run = try CheckRun(settings)
        let document = FindingsDocument(
            report: checked, profiles: run.profileNames, build: pathPrefix ?? new,
            limit: list.limit,
            maxWarnings: run.maxWarnings,
            proposal: settings.proposal(for: checked.findings.filter { $0.severity > .hint }))
        for file in saved {
            try await file.write(Self.bytes(of: report, file.format), console)
        }
        for file in findings.files {
            try await file.write(document.bytes(file.format, console), console)
        }
        let bytes = Self.bytes(of: report, output.json ? .json : format ?? .html)
        if let file, let path { try await OutputLocation.write(bytes, to: file, path, console) }
        if output.json || file == nil && format == .json {
            console.print(json: ReportJSON.document(report))
        } else if let format = findings.printed {
            document.print(format, on: console)
        } else if let file {
            console.stdout("wrote \(file), \(readableSize(UInt64(bytes.count)))")
        } else {
            console.print(bytes: bytes)
        }
        guard !self.findings.isEmpty,
            let failure = run.verdict(of: checked).failure(
                build: OutputInput(release: new)?.kind == .build ? new : nil,
                baseline: settings.baseline)
        else { return 0 }
        console.stderr(failure)
        return ExitCode.verification.rawValue
    }

    /// The files for findings, and the format to print.
    private func findingsFiles(
        _ inputs: [OutputInput]
    ) throws -> (files: [SavedFile<FindingsFormat>], printed: FindingsFormat?) {
        let texts = findings.filter { $0.contains("=") }
        let printed = try findings.first { !$0.contains("=") }.map { word in
            guard let format = FindingsFormat(rawValue: word) else {
                throw SaveOption.invalid(word, FindingsFormat.self, example: "sarif=packtool.sarif")
            }
            return format
        }
        return (try SaveOption.files(texts, FindingsFormat.self, inputs: inputs), printed)
    }

    private static func bytes(of report: ReleaseReport, _ format: Format) -> [UInt8] {
        switch format {
        case .html: ReportPage(report).bytes
        case .json: Console.bytes(of: ReportJSON.document(report))
        case .markdown: Array((ReportMarkdown.text(report).string + "\n").utf8)
        }
    }
}

extension Failure.Code {
    static let reportTerminal = Self("report.terminal")
}

extension Failure {
    /// An HTML page would be printed to a terminal.
    fileprivate static func reportTerminal(releases: [String]) -> Failure {
        Failure(
            .reportTerminal, "a report in HTML is not printed to a terminal", exitCode: .usage,
            details: [
                "command": (["packtool", "report"] + releases.map(shellWord))
                    .joined(separator: " ")
            ])
    }
}
