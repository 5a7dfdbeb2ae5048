import PackGround
import PackPublish
import PackRelease
import PackSettings
import PackSockets

/// A build published to a temporary origin, and again whenever it changes.
struct ServedBuild: Sendable {
    private let path: String
    private let origin: String
    private let scratch: String
    private let settings: Settings
    let baseURL: BaseURL
    private let app: AppName

    /// The polling interval for changes.
    private static let interval = Duration.milliseconds(400)

    /// - Parameter base: The base URL for clients; `nil` for the server's address. The one in the
    ///   settings belongs to another origin.
    init(
        path: String, origin: String, scratch: String, settings: Settings, address: ListenAddress,
        base: BaseURL?
    ) throws {
        self.path = path
        self.origin = origin
        self.scratch = scratch
        self.settings = settings
        baseURL = try base ?? BaseURL(address.ownURL)
        app = try settings.app() ?? AppName("app")
    }

    /// Publishes the current state of the build.
    func publish(_ console: Console) async throws {
        let jobs = try console.environment.jobs()
        let scan = try await BuildScan.scan(path, excluding: settings.exclusions, jobs: jobs)
        try scan.release.checkPortable(root: scan.directory.path)
        let request = PublishRequest(
            scan: scan, origin: origin, channel: try settings.channel(),
            manifest: try settings.manifestRequest(app: app, baseURL: baseURL),
            level: settings.level, label: nil, now: console.environment.clock,
            clock: console.environment.clock, lifetimeDays: nil, renew: false, reuse: nil,
            temporaryDirectory: scratch, deltas: try settings.deltas(), jobs: jobs,
            progress: nil)
        let report = try await Publisher.publish(request)
        // Every run creates a new origin, so skip the note about it.
        for note in report.notes.dropFirst(report.isNewOrigin ? 1 : 0) { console.note(note) }
        console.stdout(
            "published \(report.version), \(counted(scan.release.assets.count, "file")), "
                + "sequence \(report.sequence)")
        console.flush()
    }

    /// Publishes the build, and again after every change that has settled, until cancelled.
    ///
    /// A build that cannot be published, for example because it is being written, is retried when
    /// it changes.
    ///
    /// - Parameter ready: Called when the build is served.
    func watch(_ console: Console, ready: () -> Void) async throws {
        // A change during the first publish counts.
        var published = try? fingerprint()
        do {
            try await publish(console)
        } catch let failure as Failure where failure.code == .buildChangedWhileRead {
            console.note("\(failure): it is published once it stops changing")
            published = nil
        }
        ready()
        var seen = published
        while true {
            try await Task.sleep(for: Self.interval)
            // A bundler may have removed it in order to write it again.
            guard let now = try? fingerprint(), !now.isEmpty else { continue }
            defer { seen = now }
            guard now != published, now == seen else { continue }
            published = now
            do {
                try await publish(console)
            } catch let error as CancellationError {
                throw error
            } catch {
                console.fail(error)
            }
        }
    }

    /// Names, sizes and times of the files.
    private func fingerprint() throws -> [String: FileStatus.Edition] {
        let directory = try Directory.open(path)
        var editions: [String: FileStatus.Edition] = [:]
        for file in try FileTree.survey(directory, excluding: settings.exclusions).files {
            editions[file.path.description] = try directory.status(file.path.description)?.edition
        }
        return editions
    }
}
