import ArgumentParser
import PackClient
import PackGround
import PackOrigin
import PackRelease
import PackSettings

/// `packtool install`.
struct InstallCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Installs or updates from an origin: the reference client.",
        usage: "packtool install [<origin>] --into <dir> [<options>]",
        discussion: """
            DIR/current links to the installed tree; DIR/state.json describes the release. If a \
            release is refused, the installed one stays. --trust accepts only releases signed by \
            the keys of this root, also in later runs without it. Over https, interrupted \
            downloads continue; if a delta or package is missing or wrong, the next --mirror, the \
            package or single files are tried. Earlier trees stay until --ready confirms the new one.

            Example:
              packtool install cdn --into phone
              packtool install file://$PWD/cdn --into phone --channel production
              packtool install cdn --into phone --embedded offline --native 3.2
              packtool install --ready --into phone
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The origin: a directory, a file:// or https:// URL, or s3://bucket/prefix (default: 'to' of \
            packtool.yaml).
            """,
            valueName: "origin"),
        completion: .path)
    var given: String?

    @Option(
        help: ArgumentHelp("The installation's directory.", valueName: "dir"), completion: .path)
    var into: String

    @Option(
        help: ArgumentHelp(
            "The version of the app around the installation, such as 3.2.", valueName: "version"))
    var native: NativeVersion?

    @OptionGroup var app: PlatformOption

    @Option(
        help: ArgumentHelp(
            "The release in the app, as 'packtool embed' wrote it.", valueName: "dir"),
        completion: .path)
    var embedded: String?

    @Flag(help: "Confirm that the release works which started last; install nothing.")
    var ready = false

    @Option(
        help: ArgumentHelp(
            "The device's ID (default: random, stored in state.json).", valueName: "id"))
    var device: String?

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var trust: TrustOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        bucket.apply(to: &settings)
        line.apply(to: &settings)
    }

    func validate() throws {
        try checkDevice(device)
        guard ready else { return }
        let unused = [
            ("the origin", given != nil), ("--embedded", embedded != nil),
            ("--native", native != nil), ("--platform", app.platform != nil),
            ("--device", device != nil),
            ("--trust", trust.trust != nil), ("--channel", line.channel != nil),
        ].first(where: \.1)
        if let unused {
            throw ValidationError("--ready only confirms what is installed; leave out \(unused.0).")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        if ready { return try confirm(console) }
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let origin = try settings.origin(given: given)
        let address = OriginAddress(origin)
        let source = address.isRemote ? withoutSecrets(origin) : try existingOrigin(origin)
        if !address.isWeb { try connection.refuse(for: origin) }
        if !address.isBucket { try bucket.refuse(for: origin) }
        if !address.isRemote {
            try OutputLocation.refuse(into, in: into, inside: .origin(source))
        }
        var request = InstallRequest(
            origin: source, directory: into, channel: try settings.givenChannel(),
            now: try console.environment.clientTime(), jobs: try console.environment.jobs(),
            progress: console.progress, trust: try trust.pin())
        request.nativeVersion = native
        request.platform = app.platform
        request.embedded = try embedded.map { try EmbeddedRelease.read($0) }
        request.device = device
        request.seconds = console.environment.monotonicSeconds
        let report: InstallReport
        switch address {
        case .directory:
            report = try await Installer.install(request) {
                show($0, notes: $0.notes, console, since: started)
            }
        case .bucket:
            report = try await Installer.install(
                request, from: OriginOpener(settings: settings, console).open(address)
            ) {
                show($0, notes: $0.notes, console, since: started)
            }
        case .web(let text):
            let store = try connection.store(
                text, parts: Installer.partsPath(in: into), console)
            report = try await Installer.install(request, from: store) {
                show($0, notes: $0.notes + store.notes, console, since: started)
            }
        }
        if let note = report.removalNote { console.note(note) }
        return report.isDamaged ? ExitCode.verification.rawValue : 0
    }

    /// Confirms the release that was started or installed last.
    private func confirm(_ console: Console) throws -> Int32 {
        guard let directory = try Directory.openIfPresent(into),
            try StateFile(directory: directory).read() != nil,
            let release = try AppStart.confirm(nil, in: into)
        else { throw Failure.inputNothingInstalled(path: into) }
        let version = release.version.description
        if output.json {
            console.print(
                json: .members(["outcome": .string("ready"), "version": .string(version)]))
        } else {
            console.print("confirmed \(version)")
        }
        return 0
    }

    /// Prints the result, before the previous tree is removed.
    private func show(
        _ report: InstallReport, notes: [String], _ console: Console, since started: Double
    ) {
        for note in notes { console.note(note) }
        let seconds = console.environment.monotonicSeconds() - started
        if output.json {
            console.print(json: json(report, notes, seconds))
        } else {
            console.stdout(text(report, seconds))
        }
        console.flush(isFinal: true)
    }

    private func json(
        _ report: InstallReport, _ notes: [String], _ seconds: Double
    ) -> JSONValue {
        .members([
            "outcome": .string(report.outcome.rawValue),
            "version": .string(report.installed.version.description),
            "packageHash": .string(report.installed.packageHash.description),
            "sequence": .integer(report.state.sequence), "label": report.installed.label.json,
            "channel": .string(report.state.channel.description),
            "route": .string(report.installed.route.rawValue),
            "previous": report.previous.map { .string($0.description) },
            "files": .integer(report.files), "bytes": .integer(report.bytes),
            "damaged": .bool(report.isDamaged),
            "fetched": .integer(report.fetched.total), "fetches": report.fetched.json,
            "notes": .strings(notes),
            "root": report.state.trust.map { .integer($0.root) },
            "current": .string(tree(report)),
            "seconds": .decimal(secondsText(seconds)),
        ])
    }

    /// The directory of the current release's files.
    private func tree(_ report: InstallReport) -> String {
        guard report.state.current == .embedded, let embedded else { return "\(into)/current" }
        return "\(embedded)/versions/\(report.installed.version)"
    }

    private func text(_ report: InstallReport, _ seconds: Double) -> Text {
        let state = report.state
        let installed = report.installed
        let headline =
            switch report.outcome {
            case .installed: "installed \(installed.version)"
            case .updated: "updated to \(installed.version)"
            case .repaired: "repaired \(installed.version): the installed tree was damaged"
            case .unchanged: "\(installed.version) is already installed; nothing changed"
            case .closed: "kept \(installed.version): the channel was closed"
            case .kept: "kept \(installed.version): the channel offers this device nothing"
            case .failed: "kept \(installed.version): the offered release did not work here"
            }
        var lines = Lines(headline)
        lines.add(
            "channel",
            "\(state.channel), sequence \(state.sequence)"
                + (installed.label.map { ", label \($0)" } ?? ""))
        if let trust = state.trust {
            lines.add("trust", "signed; root \(trust.root), epoch \(trust.epoch)")
        }
        if let previous = report.previous, previous != installed.version {
            lines.add("before", previous.description)
        }
        lines.add(
            "files",
            "\(counted(report.files, "file")), \(readableSize(report.bytes)), "
                + (report.isDamaged ? "damaged" : "every hash checked"))
        lines.add("fetched", report.fetched.text)
        lines.add("tree", tree(report))
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }
}

extension FetchedBytes {
    fileprivate var parts: [(name: String, bytes: UInt64)] {
        [
            ("pointer", pointer), ("log", log), ("roots", roots), ("info.json", info),
            ("delta", deltas),
            ("package", package), ("files", files),
        ]
    }

    /// The sum and its parts.
    fileprivate var text: String {
        let used = parts.filter { $0.bytes > 0 }
        if used.isEmpty { return "nothing: the server confirmed the stored pointer" }
        return "\(readableSize(total)): "
            + used.map { "\($0.name) \(readableSize($0.bytes))" }.joined(separator: ", ")
    }

    fileprivate var json: JSONValue {
        .members([
            "pointer": .integer(pointer), "log": .integer(log),
            "roots": .integer(roots), "info": .integer(info),
            "deltas": .integer(deltas), "package": .integer(package),
            "files": .integer(files),
        ])
    }
}
