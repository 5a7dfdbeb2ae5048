import ArgumentParser
import PackGround
import PackOrigin
import PackPublish
import PackSettings
import PackTrust

/// `packtool keys publish`.
struct KeysPublishCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes a fully signed trust root to an origin.",
        usage: "packtool keys publish <new.json> --to <origin> [<options>]",
        discussion: """
            Checks the chain of roots, creates the immutable file root/<version>.json, and reads \
            it back. Clients fetch a root when a pointer references it, or within a day, so it \
            must be available before any pointer references it: with a bucket, the command waits \
            until the base URL serves it. After copying a directory to the CDN, run the command \
            again with --wait.

            Example:
              packtool keys publish 1.root.json --to cdn
            """)

    @Argument(help: ArgumentHelp("The root.", valueName: "new.json"), completion: .path)
    var file: String

    @Option(name: .setting(.to), help: .setting(.to, "origin"), completion: .path)
    var to: String?

    @Option(name: .setting(.baseURL), help: .setting(.baseURL, "url"))
    var baseURL: String?

    @Flag(
        help:
            "Publish the root even if it blocks publishing to an unsigned channel."
    )
    var force = false

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var bucket: BucketOptions
    @OptionGroup var safety: UnsafeStoreOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.to, to)
        settings.set(.baseURL, baseURL)
        bucket.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let origin = try settings.origin()
        let bytes = try ReadableFile.read(file, limit: TrustRoot.sizeLimit)
        let now = try console.environment.clientTime()
        let address = OriginAddress(origin)
        if !address.isBucket {
            try bucket.refuse(for: origin)
            try safety.refuse(for: origin)
        }
        let report: RootPublisher.Report
        if let store = try OriginOpener(settings: settings, console).writable(address, safety) {
            report = try await RootPublisher.publish(
                bytes, path: file, on: store, now: now, clock: { console.environment.clock },
                force: force)
        } else {
            report = try await RootPublisher.publish(
                bytes, path: file, to: origin, now: now, force: force)
        }
        for note in report.notes { console.note(note) }
        let isShown = try await wait(report, settings, console)
        let root = report.root.root
        if output.json {
            console.print(
                json: .members([
                    "version": .integer(root.version),
                    "outcome": .string(report.wasPresent ? "unchanged" : "published"),
                    "pin": .string("sha256:\(report.root.digest)@\(root.version)"),
                    "shown": .bool(isShown), "notes": .strings(report.notes),
                ]))
        } else {
            var lines = Lines(
                report.wasPresent
                    ? "root \(root.version) is already published; nothing changed"
                    : "published root \(root.version) of app '\(root.app)'")
            lines.add("expires", root.expires.description)
            lines.add("pin", "sha256:\(report.root.digest)@\(root.version)")
            lines.add("origin", origin)
            if isShown { lines.add("shown", "at the base URL, with and without its caches") }
            console.stdout(lines.text)
        }
        return 0
    }

    /// Waits until clients can download the root.
    ///
    /// - Returns: Whether they can, as far as it was checked.
    private func wait(
        _ report: RootPublisher.Report, _ settings: Settings, _ console: Console
    ) async throws -> Bool {
        guard let limit = try waiting.limit(for: OriginAddress(settings.origin())) else {
            return false
        }
        guard let base = try settings.baseURL() ?? report.baseURL else {
            guard waiting.wait == nil else {
                throw Failure.usageMissing(
                    .baseURL)
            }
            console.note(
                "did not check whether clients can fetch the root, because the base URL is unknown; see --base-url"
            )
            return false
        }
        try await waiting.run(for: report.root, at: base, limit: limit, console)
        return true
    }
}
