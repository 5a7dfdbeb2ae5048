import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// Keeps the web pages of an app up to date, and decides which release of them runs.
///
/// Make one client for each package, call ``start()`` before the first page is loaded, ``markReady()``
/// when the page works, and ``update(_:)`` whenever there is time and network. The running release is
/// never changed; an update is used at the next start. All methods may be called on any thread.
public final class PackClient: Sendable {
    let configuration: Configuration
    private let app: AppName
    private let nativeVersion: NativeVersion?
    /// The time until an update that failed is due again, in seconds.
    private static let retryInterval = 60.0
    private let pin: TrustPin?
    private let session = Locked(Session())
    /// The releases in use by pages of this process.
    let leases = TreeLeases()

    /// What one run of the app remembers.
    private struct Session {
        var running: AppStart.Running?
        /// Whether the last start chose the https pages.
        var isWeb = false
        /// The channel to switch to with the next update.
        var channel: Channel?
        /// The time of the next update that is not asked for, by the monotonic clock.
        var isDueAt = -Double.infinity
        /// Ends with the last update.
        var updates: Task<Void, Never>?
    }

    /// Makes a client; nothing is read or written yet.
    ///
    /// - Throws: ``PackError`` for a configuration that cannot work.
    public init(_ configuration: Configuration) throws(PackError) {
        self.configuration = configuration
        (app, nativeVersion, pin) = try PackError.wrapping {
            if let channel = configuration.channel { _ = try Channel(channel) }
            try configuration.checkOrigin()
            return (
                try AppName(configuration.app),
                try configuration.nativeVersion.map { try NativeVersion($0) },
                try configuration.trust?.pin()
            )
        }
    }

    // MARK: Starting

    /// Decides which release runs, in milliseconds and without the network.
    ///
    /// Call it once for each start of the app, and again only to run an update without a restart. The
    /// start is stored before it returns: a release that did not become ready in two starts is not
    /// started again by this version of the app, and the one before it is.
    public func start() -> Start {
        let now = Timestamp(seconds: configuration.clock.now())
        let started: AppStart
        do {
            started = AppStart.start(
                configuration.directory, embedded: try embedded(), nativeVersion: nativeVersion,
                app: app, now: now)
        } catch {
            // A bundled release that cannot be read does not stop the downloaded ones.
            var other = AppStart.start(
                configuration.directory, embedded: nil, nativeVersion: nativeVersion, app: app,
                now: now)
            other.problem = other.problem ?? error
            started = other
        }
        session.withLock {
            $0.running = started.running
            $0.isWeb = started.decision.choice == .web
        }
        return Start(started)
    }

    /// Confirms that the running release works, so that it stays and earlier ones may go.
    ///
    /// - Throws: ``PackError`` if it could not be stored; call it again later.
    public func markReady() throws(PackError) {
        guard let running = session.withLock({ $0.running }) else { return }
        try PackError.wrapping {
            _ = try AppStart.confirm(
                running.place, in: configuration.directory, except: leases.versions)
        }
    }

    /// The release that ``start()`` chose; `nil` before it, and if no release runs.
    public var release: Release? { session.withLock { $0.running }.map { Release($0) } }

    /// What the last start chose.
    var shown: (running: AppStart.Running?, isWeb: Bool) {
        session.withLock { ($0.running, $0.isWeb) }
    }

    // MARK: Updating

    /// Switches to another channel with the next update.
    ///
    /// The installation keeps the channel, and the trees of both; a release that is on the device
    /// is not fetched again.
    ///
    /// - Throws: ``PackError`` if the name is not that of a channel.
    public func use(channel name: String) throws(PackError) {
        let channel = try PackError.wrapping { try Channel(name) }
        session.withLock {
            $0.channel = channel
            $0.isDueAt = -.infinity
        }
    }

    /// Looks for a newer release, and installs it beside the running one.
    ///
    /// Without ``UpdateOptions/isForced``, an update that comes before the interval has passed ends at
    /// once with ``Event/held(_:)``. The last event is ``Event/installed(_:)``, ``Event/upToDate(_:)``
    /// or ``Event/held(_:)``; the stream throws ``PackError`` if the update failed. If the task that
    /// reads the events is cancelled, so is the update. In each case the running release stays.
    public func update(
        _ options: UpdateOptions = UpdateOptions()
    ) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    continuation.yield(try await run(options) { continuation.yield($0) })
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: PackError(error))
                }
            }
            session.withLock { session in
                let earlier = session.updates
                session.updates = Task {
                    await earlier?.value
                    await task.value
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Waits until no update of this client runs.
    ///
    /// A cancelled update ends a moment later, and holds a lock until then. iOS ends an app suspended
    /// with a lock, so wait before you end a background task.
    public func waitForUpdates() async { await session.withLock { $0.updates }?.value }

    /// Runs an update, and returns its last event.
    private func run(
        _ options: UpdateOptions, reporting: @escaping @Sendable (Event) -> Void
    ) async throws -> Event {
        let begun = configuration.clock.monotonicSeconds()
        let wait = session.withLock { session in
            let wait = session.isDueAt - begun
            if wait <= 0 || options.isForced {
                session.isDueAt = begun + configuration.interval * Double.random(in: 0.8...1.2)
                return 0.0
            }
            return wait
        }
        if wait > 0 { return .held(.notDue(seconds: wait)) }
        reporting(.checking)
        let request = try request(options)
        do {
            let report = try await install(request, reporting)
            return try event(of: report, options)
        } catch {
            if let failure = error as? Failure, let reason = HoldReason(failure) {
                return .held(reason)
            }
            // Sooner than after a success.
            session.withLock {
                $0.isDueAt = begun + min(configuration.interval, Self.retryInterval)
            }
            throw error
        }
    }

    private func request(_ options: UpdateOptions) throws -> InstallRequest {
        let state = try Directory.openIfPresent(configuration.directory).flatMap {
            try StateFile(directory: $0).read()
        }
        let switched = session.withLock { $0.channel }
        let embedded = try embedded(unlessOn: state)
        let first = state == nil && embedded == nil ? configuration.channel : nil
        var request = InstallRequest(
            origin: configuration.origin, directory: configuration.directory,
            channel: try switched ?? first.map { try Channel($0) },
            now: Timestamp(seconds: configuration.clock.now()), jobs: 2, trust: pin)
        request.app = app
        request.embedded = embedded
        request.nativeVersion = nativeVersion
        request.platform = configuration.platform?.value
        request.isMetered = options.isMetered
        request.limits = options.limits.values(isMetered: options.isMetered)
        request.seconds = configuration.clock.monotonicSeconds
        request.isTreeChecked = options.checksFiles
        let leases = leases
        request.inUse = { leases.versions }
        return request
    }

    private func install(
        _ request: InstallRequest, _ reporting: @escaping @Sendable (Event) -> Void
    ) async throws -> InstallReport {
        var request = request
        guard configuration.isRemote else {
            return try await Installer.install(request)
        }
        guard let transport = configuration.transport?.transport else {
            throw PackError.withoutTransport(configuration.origin)
        }
        let counter = DownloadCounter(transport, agent: agent, reporting)
        request.willFetch = { counter.begin($0) }
        let store = HTTPStore(
            try HTTPAddress(configuration.origin),
            mirrors: try configuration.mirrors.map { try HTTPAddress($0) },
            client: HTTPClient(counter, random: { Double.random(in: 0...1) }),
            parts: Installer.partsPath(in: configuration.directory),
            scratch: configuration.directory)
        return try await Installer.install(request, from: store)
    }

    /// The text of the header `User-Agent`: what runs, but nothing that identifies the device.
    private var agent: String {
        let copy = session.withLock { $0.running }?.copy
        let release = (copy?.label ?? copy?.version.description).map { "\(app)/\($0)" } ?? "\(app)"
        let native = nativeVersion.map { " native/\($0)" } ?? ""
        return printable("packtool-client/1 \(release)\(native)".utf8)
    }

    private func event(of report: InstallReport, _ options: UpdateOptions) throws -> Event {
        session.withLock { if $0.channel == report.state.channel { $0.channel = nil } }
        switch report.outcome {
        case .installed, .updated, .repaired:
            if options.apply == .now { return .started(start()) }
            return .installed(
                Release(
                    report.installed, report.state.current, in: configuration.directory,
                    embedded: try? embedded()))
        case .unchanged: return .upToDate(report.installed.version.description)
        case .kept: return .held(.notOffered)
        case .closed: return .held(.closed)
        case .failed: return .held(.failedHere)
        }
    }

    /// The release in the app; `nil` if it cannot be read, but the device has another one.
    private func embedded(unlessOn state: InstallState?) throws -> EmbeddedRelease? {
        do { return try embedded() } catch {
            if state?.trees.isEmpty == false { return nil }
            throw error
        }
    }

    private func embedded() throws -> EmbeddedRelease? {
        guard let path = configuration.embedded else { return nil }
        let embedded = try EmbeddedRelease.read(path)
        guard embedded.app == app else {
            throw Failure.installOtherApp(
                installed: app.description, offered: embedded.app.description)
        }
        return embedded
    }

    // MARK: Repair

    /// Removes everything that was downloaded, and what the device knows of pointers and failures.
    ///
    /// Use it only if an update throws ``PackError`` with the code `install.damaged-state`. An origin
    /// could then offer an older release; a trust root's floors still hold.
    ///
    /// - Throws: ``PackError``.
    public func reset() throws(PackError) {
        try PackError.wrapping { try Installer.reset(configuration.directory) }
    }
}
