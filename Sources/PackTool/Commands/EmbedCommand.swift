import ArgumentParser
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSettings

/// `packtool embed`.
struct EmbedCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        abstract: "Exports a release to bundle in your app, so the first launch works offline.",
        usage: "packtool embed [<origin>] --output <dir> [<options>]",
        discussion: """
            Exports the release offered to every device, without the state of a device. The app \
            contains DIR, and its updates go to another directory. The origin pins the release, so \
            each publish makes a delta from it.

            At a signed origin, --trust names the root that the app contains; the release must be \
            signed by its keys, and the root is exported with it. Without --trust, the origin's \
            newest root is used.

            Example:
              packtool embed signed -o app --trust 1.root.json
              packtool embed cdn -o app --reason "app 3.2" --native 3.2
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
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The directory to write, which must not exist yet.", valueName: "dir"),
        completion: .path)
    var target: String

    @Option(
        help: ArgumentHelp("The version of the app, such as 3.2.", valueName: "version"))
    var native: NativeVersion?

    @OptionGroup var app: PlatformOption

    @OptionGroup var why: PinReason

    @Flag(help: "Write nothing to the origin: publishes make no delta from this release.")
    var noPin = false

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var safety: UnsafeStoreOption
    @OptionGroup var trust: TrustOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        bucket.apply(to: &settings)
        line.apply(to: &settings)
    }

    func validate() throws {
        if noPin, why.reason != nil {
            throw ValidationError("--reason describes a pin; leave out --no-pin.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let started = console.environment.monotonicSeconds()
        let settings = try settings(console)
        let origin = try settings.origin(given: given)
        let address = OriginAddress(origin)
        if !address.isWeb { try connection.refuse(for: origin) }
        if !address.isBucket {
            try bucket.refuse(for: origin)
            try safety.refuse(for: origin)
        }
        let remote = try OriginOpener(settings: settings, console).writable(address, safety)
        let source = address.isRemote ? withoutSecrets(origin) : try existingOrigin(origin)
        let location = try OutputLocation.check(
            target, inputs: address.isRemote ? [] : [.origin(source)], isDirectory: true)
        let now = try console.environment.now()
        let channel = try settings.channel()
        let pin = try trust.pin()
        var request = InstallRequest(
            origin: source, directory: "", channel: channel, now: now,
            jobs: try console.environment.jobs(), progress: console.progress, trust: pin)
        request.isForApps = true
        request.nativeVersion = native
        request.platform = app.platform
        request.seconds = console.environment.monotonicSeconds
        let installing = request
        let store: any OriginStore =
            switch address {
            case .directory, .bucket: try remote ?? StoreOpener.read(source)
            case .web(let text): try connection.store(text, console)
            }
        let (report, pinned) = try await TemporaryDirectory.with(in: location.directory, console) {
            staging in
            let report = try await Self.install(installing, from: store, in: staging)
            // Pin before the directory gets its name, so that an app containing the release finds
            // its deltas.
            let pinned =
                address.isWeb || noPin
                ? nil
                : try await record(
                    report, at: remote ?? StoreOpener.writeExisting(source), now, console)
            try OutputLocation.move("tree", of: staging, at: target, location)
            return (report, pinned)
        }
        for note in report.notes { console.note(note) }
        if address.isWeb, !noPin {
            console.note(
                "not pinned: run the same command with the origin's directory or bucket, so that publishes make a "
                    + "delta from this release")
        }
        let seconds = console.environment.monotonicSeconds() - started
        if output.json {
            console.print(json: json(report, pinned, seconds))
        } else {
            console.stdout(text(report, pinned, origin, seconds))
        }
        return 0
    }

    /// Installs into `tree` of a temporary directory.
    private static func install(
        _ request: InstallRequest, from store: any OriginStore, in staging: Directory
    ) async throws -> InstallReport {
        var request = request
        request.directory = "\(staging.path)/tree"
        let report = try await Installer.install(request, from: store)
        for name in Installer.lockNames { try staging.directory("tree").removeFile(name) }
        return report
    }

    /// Records the pin at the origin.
    private func record(
        _ report: InstallReport, at store: any WritableStore, _ now: Timestamp,
        _ console: Console
    ) async throws -> Pin {
        let pin = Pin(
            channel: report.state.channel, version: report.installed.version, createdAt: now,
            reason: why.reason)
        try await pin.record(at: store, clock: console.environment.clock)
        return pin
    }

    private func json(_ report: InstallReport, _ pinned: Pin?, _ seconds: Double) -> JSONValue {
        .members([
            "version": .string(report.installed.version.description),
            "packageHash": .string(report.installed.packageHash.description),
            "channel": .string(report.state.channel.description),
            "sequence": .integer(report.state.sequence), "label": report.installed.label.json,
            "files": .integer(report.files), "bytes": .integer(report.bytes),
            "root": report.state.trust.map { .integer($0.root) },
            "directory": .string(target), "pin": (pinned?.path).json,
            "notes": .strings(report.notes), "seconds": .decimal(secondsText(seconds)),
        ])
    }

    private func text(
        _ report: InstallReport, _ pinned: Pin?, _ origin: String, _ seconds: Double
    ) -> Text {
        let installed = report.installed
        var lines = Lines("embedded \(installed.version)")
        lines.add(
            "channel",
            "\(report.state.channel), sequence \(report.state.sequence)"
                + (installed.label.map { ", label \($0)" } ?? ""))
        if let trust = report.state.trust {
            lines.add("trust", "signed; root \(trust.root), epoch \(trust.epoch)")
        }
        lines.add(
            "files",
            "\(counted(report.files, "file")), \(readableSize(report.bytes)), every hash checked")
        lines.add("tree", "\(target)/versions/\(installed.version)")
        if let pinned { lines.add("pin", "\(origin)/\(pinned.path)") }
        lines.add("time", "\(secondsText(seconds)) s")
        return lines.text
    }
}
