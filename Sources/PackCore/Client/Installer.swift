import PackGround
package import PackOrigin
import PackRelease
import PackTrust

/// The reference client.
///
/// It reads the pointer, compares it with the installed release, downloads what differs, verifies
/// it, makes it durable in a tree of its own, and makes it the current release in one step. Earlier
/// trees stay until the new one is confirmed. If it is killed, either the old or the new release is
/// complete; the next run removes leftover files.
package struct Installer: Sendable {
    let request: InstallRequest
    package let store: any OriginStore
    let reader: OriginReader
    let installation: Installation
    /// The channel of the request, else that of the installation.
    let channel: Channel
    /// The state before the pointer was accepted.
    let state: InstallState?
    /// The release that `current` links to, if the state is lost.
    let found: Release?
    let offer: PointerIntake.Offer
    /// The time when the pointer was read, by the request's clock.
    let begun: Double?

    private init(
        _ request: InstallRequest, _ store: any OriginStore, _ installation: Installation,
        _ channel: Channel, _ state: InstallState?, _ found: Release?, _ offer: PointerIntake.Offer
    ) {
        self.request = request
        self.store = store
        reader = OriginReader(store, policy: offer.policy)
        self.installation = installation
        self.channel = channel
        self.state = state
        self.found = found
        self.offer = offer
        begun = request.seconds?()
    }

    /// Installs the current release of a channel from the request's origin, or updates to it.
    ///
    /// - Throws: ``Failure``. The installed release is unchanged.
    @discardableResult
    package static func install(
        _ request: InstallRequest, reporting: (InstallReport) -> Void = { _ in }
    ) async throws -> InstallReport {
        try await install(request, from: StoreOpener.read(request.origin), reporting: reporting)
    }

    /// The lock files in an installation's directory, which exclude parallel runs.
    package static let lockNames = [Installation.lockName, StateFile.lockName]

    /// The directory for a store's partial downloads, which a later run resumes.
    package static func partsPath(in directory: String) -> String {
        "\(directory)/\(Installation.parts)"
    }

    /// Removes an installation but for its trust root, as if the device had never seen a pointer.
    ///
    /// - Throws: ``Failure``.
    package static func reset(_ path: String) throws {
        guard let directory = try Directory.openIfPresent(path) else { return }
        guard try Installation.isUsable(directory) else {
            throw Failure.installNotAnInstallation(directory: path)
        }
        guard let lock = try FileLock(in: directory, name: Installation.lockName) else {
            throw Failure.installBusy(directory: path)
        }
        try Installation.mark(directory, lock)
        try directory.removeFile(Installation.current)
        try directory.removeFile(StateFile.name)
        try directory.sync()
        try Installation(directory).removeTrees(except: nil)
        try Installation.removeParts(directory)
        try Installation.clean(directory)
        _ = consume lock
    }

    /// Installs from a store instead of the request's origin.
    ///
    /// - Parameter reporting: Called before the previous tree is removed, which can take longer
    ///   than the installation; the installation stays locked. Only the returned report
    ///   can have a note about the removal.
    @discardableResult
    package static func install(
        _ request: InstallRequest, from store: any OriginStore,
        reporting: (InstallReport) -> Void = { _ in }
    ) async throws -> InstallReport {
        if let listing = store as? any ListingStore,
            try await !OriginHistory(listing, policy: .recordedInLog).isOrigin()
        {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        var made: [String] = []
        do {
            return try await install(request, store, made: &made, reporting)
        } catch {
            if error.mayBeStale, let fresh = store.pastCaches() {
                do {
                    return try await install(request, fresh, made: &made, reporting)
                } catch {
                    Directory.removeUnused(made)
                    throw error
                }
            }
            Directory.removeUnused(made)
            throw error
        }
    }

    /// Installs with the directory created if needed.
    ///
    /// - Parameter made: Receives the created directories.
    private static func install(
        _ request: InstallRequest, _ store: any OriginStore, made: inout [String],
        _ reporting: (InstallReport) -> Void
    ) async throws -> InstallReport {
        let directory = try Directory.openOrCreate(request.directory, made: &made)
        guard try Installation.isUsable(directory) else {
            throw Failure.installNotAnInstallation(directory: request.directory)
        }
        guard let lock = try FileLock(in: directory, name: Installation.lockName) else {
            throw Failure.installBusy(directory: request.directory)
        }
        let report: InstallReport
        do {
            try Installation.mark(directory, lock)
            let installation = try Installation(directory)
            let state = try begin(request, installation)
            let channel = request.channel ?? state?.channel ?? .production
            // Read under the lock, because another run may change the state and the root.
            let offer = try await PointerIntake(
                request: request, store: store, installation: installation, channel: channel,
                state: state
            ).take()
            report = try await Installer(
                request, store, installation, channel, state,
                state == nil ? found(in: installation, request) : nil, offer
            ).run()
        } catch {
            try? Installation.clean(directory)
            try? Installation.withdraw(directory)
            throw error
        }
        reporting(report)
        let note = try cleanUp(directory, isRequired: request.isForApps)
        _ = consume lock
        return report.with(removalNote: note)
    }

    /// The state at the begin of a run, with the release in the app and without trees that are gone.
    private static func begin(
        _ request: InstallRequest, _ installation: Installation
    ) throws -> InstallState? {
        var state = try installation.stateFile.read()
        if let known = state, let app = request.app, known.app != app {
            throw Failure.installOtherApp(
                installed: known.app.description, offered: app.description)
        }
        if let known = state, known.device == nil { try installation.removeEmbeddedManifest() }
        try installation.removeTrees(except: state)
        if let embedded = request.embedded {
            if state == nil { state = InstallState(embedded) } else { try state?.include(embedded) }
        }
        try state?.forgetTrees {
            try !Installation.hasTree($0, in: installation.directory)
        }
        return state
    }

    /// The release that `current` links to, if its tree is intact.
    private static func found(
        in installation: Installation, _ request: InstallRequest
    ) async -> Release? {
        guard let linked = try? Installation.linkedVersion(in: installation.directory),
            let scan = try? await BuildScan.scan(
                installation.tree(linked), jobs: request.jobs, progress: request.progress),
            scan.release.version == linked
        else { return nil }
        return scan.release
    }

    /// Removes unneeded trees and partial downloads.
    ///
    /// - Parameter isRequired: Whether to throw an error instead of returning it as a note.
    private static func cleanUp(_ directory: Directory, isRequired: Bool) throws -> String? {
        do {
            try Installation.removeParts(directory)
            try Installation.clean(directory)
            return nil
        } catch {
            if isRequired { throw error }
            return removalNote(error)
        }
    }

    private static func removalNote(_ error: any Error) -> String {
        "some files of the previous release remain until the next run: \(error)"
    }

    /// Installs the accepted offer.
    ///
    /// - Parameter looks: The number of restarts left for a newer pointer.
    private func run(looks: Int = Installer.mostLooks) async throws -> InstallReport {
        var run = Run(offer: offer, state: try accept(offer.published))
        try checkCondition(offer.published.pointer)
        let bases = bases(run.state)
        let installed = bases.first { $0.place == run.state.current }
        guard var published = try await choose(offer.published, installed, &run) else {
            return try await keep(installed, run)
        }
        var pointer = published.pointer
        if let report = try await reuse(published, bases, installed, &run) { return report }
        let isRepair = bases.contains { $0.place == .tree(pointer.version) }
        let (release, route) = try await take(published, bases, &run)
        try checkLaunch(published, release)
        if looks > 0, let later = await laterOffer(&run) {
            let next = Installer(request, store, installation, channel, run.state, nil, later)
            guard let same = try await next.continues(pointer.packageHash, installed) else {
                try installation.staging.removeContents()
                return try await next.run(looks: looks - 1)
            }
            let speed = run.state.speed
            run = Run(offer: later, state: same.state)
            run.state.speed = speed
            published = same.published
            pointer = published.pointer
        }
        try installation.move("tree", as: pointer.version)
        if request.isForApps { try installation.write(manifest: await reader.bytes(of: published)) }
        let outcome: InstallReport.Outcome =
            isRepair && installed?.place == .tree(pointer.version)
            ? .repaired : (installed == nil ? .installed : .updated)
        return try finish(
            run, pointer, .tree(pointer.version), TreeSize(of: release), outcome, from: installed,
            route: route)
    }

    /// Downloads a release into staging by the first route that works: deltas, the files that
    /// differ, the package, all files.
    private func take(
        _ published: OriginReader.Published, _ bases: [Base], _ run: inout Run
    ) async throws -> (Release, InstallState.Route) {
        var scans = Scans(bases: bases)
        if let release = try await takeDeltas(published, &scans, &run) { return (release, .delta) }
        if let release = try await takeMissing(published, &scans, &run) { return (release, .files) }
        return (try await takePackage(published, &scans, &run), .package)
    }

    /// Ends a run whose release is on the device already, if its files are intact.
    private func reuse(
        _ published: OriginReader.Published, _ bases: [Base], _ installed: Base?, _ run: inout Run
    ) async throws -> InstallReport? {
        let pointer = published.pointer
        for base in bases where base.copy.version == pointer.version {
            let isCurrent = base.place == installed?.place
            if isCurrent, !request.isTreeChecked {
                return try finish(
                    run, pointer, base.place, pointer.tree, .unchanged, from: installed,
                    route: .none)
            }
            // A build may contain junk, but an installed tree must not, because junk is never
            // verified.
            guard let scan = try await readableScan(base), scan.leftOut.isEmpty,
                scan.release.packageHash == pointer.packageHash
            else { continue }
            return try finish(
                run, pointer, base.place, TreeSize(of: scan.release),
                isCurrent ? .unchanged : .updated, from: installed, route: .none)
        }
        return nil
    }

    /// Checks that the release has the app's first page.
    private func checkLaunch(
        _ published: OriginReader.Published, _ release: Release
    ) throws(Failure) {
        guard let launch = published.pointer.entry.launch,
            !release.assets.contains(where: { $0.path == launch })
        else { return }
        throw .originDiffers(
            path: published.path, problem: "names a launch page that its release does not have")
    }

    /// Makes a release the current one.
    private func finish(
        _ run: Run, _ pointer: Pointer, _ place: InstallState.Place, _ tree: TreeSize,
        _ outcome: InstallReport.Outcome, from previous: Base?, route: InstallState.Route
    ) throws -> InstallReport {
        var copy = InstallState.Copy(
            version: pointer.version, packageHash: pointer.packageHash, channel: channel,
            sequence: pointer.sequence, label: nil, route: route, installedAt: request.now)
        let state = try change(run.state) { state in
            // The same files: the route and time of their download stay.
            if let known = state[place] { copy = known }
            copy.update(from: pointer, epoch: state.seen.epoch, request.platform)
            switch place {
            case .tree: state.choose(copy)
            case .embedded:
                state.embedded = copy
                state.current = .embedded
            }
            state.speed = run.state.speed
            state.trim(except: request.inUse())
        }
        var notes = run.notes
        do { try installation.removeTrees(except: state) } catch {
            if request.isForApps { throw error }
            notes.append(Self.removalNote(error))
        }
        return InstallReport(
            outcome: outcome, state: state, installed: copy, previous: previous?.copy.version,
            files: tree.assets, bytes: tree.size, fetched: run.fetched,
            notes: notes)
    }

    /// Changes the stored state, which a start of the app may have changed since it was read.
    func change(
        _ known: InstallState, _ body: (inout InstallState) throws -> Void
    ) throws -> InstallState {
        try installation.stateFile.change { stored in
            var state = stored ?? known
            if let embedded = request.embedded { try state.include(embedded) }
            try body(&state)
            return state
        }
    }
}

extension Installer {
    /// What a run has done so far.
    struct Run {
        var state: InstallState
        var fetched: FetchedBytes
        var notes: [String]
        /// The outcome if the pointer offers this device nothing.
        var held = InstallReport.Outcome.kept

        init(offer: PointerIntake.Offer, state: InstallState) {
            self.state = state
            fetched = offer.fetched
            notes = offer.notes
        }
    }

    /// A release on the device, and where its files are.
    struct Base {
        let place: InstallState.Place
        let copy: InstallState.Copy
        let path: String
    }

    /// The releases on the device, the current one first.
    func bases(_ state: InstallState) -> [Base] {
        var bases = state.trees.map {
            Base(place: .tree($0.version), copy: $0, path: installation.tree($0.version))
        }
        if let embedded = request.embedded, let copy = state.embedded {
            bases.append(Base(place: .embedded, copy: copy, path: embedded.path))
        }
        return bases.filter { $0.place == state.current }
            + bases.filter { $0.place != state.current }
    }
}

extension InstallState.Copy {
    /// Takes what a pointer that chose this release states about it.
    fileprivate mutating func update(
        from pointer: Pointer, epoch: Int?, _ platform: AppPlatform?
    ) {
        channel = pointer.channel
        self.epoch = epoch
        sequence = pointer.sequence
        label = pointer.label
        native = pointer.entry.native[platform]
        launch = pointer.entry.launch
    }
}

extension Error {
    /// Whether a newer pointer, or one not from a cache, could succeed.
    fileprivate var mayBeStale: Bool {
        switch self {
        case let failure as Failure:
            switch failure.code {
            case .originMissing, .originLogDiffers, .originLogMissing, .originDiffers,
                .originNothingPublished, .originInvalidPointer, .installReplayed, .installExpired,
                .installExpiredByRoot,
                // A cache may still have the response that there is no next root, or the previous file.
                .trustRootMissing, .trustRootExpired, .trustNoRole, .trustUnsigned,
                .trustBadSignature:
                true
            default: failure.code.isOf("http") && failure.meansAnotherContent
            }
        default: false
        }
    }
}
