import PackGround
package import PackOrigin
package import PackRelease

/// A start of the app: what it runs, by what is stored on the device.
///
/// It needs no network.
package struct AppStart: Sendable {
    /// A release that runs.
    package struct Running: Equatable, Sendable {
        package let place: InstallState.Place
        package let copy: InstallState.Copy
        /// The directory of its files.
        package let path: String
    }

    package let decision: StartDecision
    /// `nil` if no release runs.
    package let running: Running?
    /// Whether the channel offers a release that must be installed before this one continues.
    package private(set) var mustUpdate: Bool
    /// The end of the last accepted pointer.
    private var expires: Timestamp?
    /// Why the state could not be read, or the start not be counted; the release runs nevertheless.
    package var problem: (any Error)?

    /// Decides what runs, and stores that it was started.
    ///
    /// It waits for no update of another process. Call it once for each start of the app, before the
    /// first page is loaded.
    ///
    /// - Parameters:
    ///   - path: The installation's directory, which may be missing.
    ///   - embedded: The release in the app, if any.
    ///   - nativeVersion: The version of the app; `nil` if unknown.
    ///   - app: The app of the installation; `nil` for any.
    ///   - now: A pointer that has expired by this time is not mandatory, because no device can follow it.
    package static func start(
        _ path: String, embedded: EmbeddedRelease?, nativeVersion: NativeVersion?,
        app: AppName? = nil, now: Timestamp? = nil
    ) -> AppStart {
        var start: AppStart
        do {
            start = try counted(path, embedded, nativeVersion, app)
        } catch {
            start = uncounted(path, embedded, nativeVersion, app)
            start.problem = error
        }
        start.forgetMandatory(at: now)
        return start
    }

    /// What would start now; nothing is stored.
    ///
    /// - Throws: ``Failure``.
    package static func preview(
        _ path: String, embedded: EmbeddedRelease?, nativeVersion: NativeVersion?, now: Timestamp
    ) throws -> AppStart {
        guard let directory = try Directory.openIfPresent(path) else {
            return embedded.map { only($0, nativeVersion) } ?? nothing
        }
        guard
            var state = try known(
                StateFile(directory: directory).read(), embedded, nil, in: directory)
        else { return nothing }
        var start = AppStart(&state, directory, embedded, nativeVersion)
        start.forgetMandatory(at: now)
        return start
    }

    private mutating func forgetMandatory(at now: Timestamp?) {
        if let now, let expires, expires <= now { mustUpdate = false }
    }

    /// Stores that the release which was started last has become ready.
    ///
    /// - Parameters:
    ///   - place: The release; `nil` for the one that was started or installed last.
    ///   - used: Further releases whose trees stay.
    /// - Returns: The release; `nil` if it is not on the device any more.
    /// - Throws: ``Failure``.
    @discardableResult
    package static func confirm(
        _ place: InstallState.Place?, in path: String, except used: Set<Version> = []
    ) throws -> InstallState.Copy? {
        var confirmed: InstallState.Copy?
        try StateFile(directory: Directory.open(path)).change { stored in
            guard var state = stored else {
                throw Failure.installNotAnInstallation(directory: path)
            }
            let known = [state.started, state.current].compactMap { $0 }
            if let place = place ?? known.first(where: { state[$0] != nil }), state[place] != nil {
                state[place]?.isConfirmed = true
                state[place]?.attempts = 0
                state.trim(except: used)
                confirmed = state[place]
            }
            return state
        }
        return confirmed
    }

    private static var nothing: AppStart {
        AppStart(
            decision: StartDecision(StartDecision.Situation(candidates: []), nativeVersion: nil),
            running: nil, mustUpdate: false)
    }

    private init(decision: StartDecision, running: Running?, mustUpdate: Bool) {
        self.decision = decision
        self.running = running
        self.mustUpdate = mustUpdate
    }

    private static func counted(
        _ path: String, _ embedded: EmbeddedRelease?, _ nativeVersion: NativeVersion?,
        _ app: AppName?
    ) throws -> AppStart {
        let found =
            embedded == nil
            ? try Directory.openIfPresent(path) : try Directory.openOrCreate(path)
        guard let directory = found else { return nothing }
        guard try Installation.isUsable(directory) else {
            throw Failure.installNotAnInstallation(directory: path)
        }
        let file = StateFile(directory: directory)
        if try file.read() == nil {
            guard embedded != nil else { return nothing }
            // Another process that has the lock marks the directory itself.
            if let lock = try FileLock(in: directory, name: Installation.lockName) {
                try Installation.mark(directory, lock)
                _ = consume lock
            }
        }
        var start = nothing
        try file.change { stored in
            guard var state = try known(stored, embedded, app, in: directory) else {
                throw Failure.installNotAnInstallation(directory: path)
            }
            start = AppStart(&state, directory, embedded, nativeVersion)
            return state
        }
        return start
    }

    /// What runs if starts cannot be counted: no release that could fail at each start, but the one
    /// in the app.
    private static func uncounted(
        _ path: String, _ embedded: EmbeddedRelease?, _ nativeVersion: NativeVersion?,
        _ app: AppName?
    ) -> AppStart {
        let opened = try? Directory.openIfPresent(path)
        if let directory = opened.flatMap({ $0 }),
            var state = try? known(
                StateFile(directory: directory).read(), embedded, app, in: directory)
        {
            state.trees.removeAll { !$0.isConfirmed }
            return AppStart(&state, directory, embedded, nativeVersion)
        }
        return embedded.map { only($0, nativeVersion) } ?? nothing
    }

    /// A start with nothing but the release in the app.
    private static func only(
        _ embedded: EmbeddedRelease, _ nativeVersion: NativeVersion?
    ) -> AppStart {
        AppStart(
            decision: StartDecision(InstallState(embedded), nativeVersion),
            running: Running(place: .embedded, copy: embedded.copy, path: embedded.path),
            mustUpdate: false)
    }

    /// The stored state with the release in the app, without trees that are gone; `nil` if there is
    /// neither.
    private static func known(
        _ stored: InstallState?, _ embedded: EmbeddedRelease?, _ app: AppName?,
        in directory: Directory
    ) throws -> InstallState? {
        guard var state = stored ?? embedded.map({ InstallState($0) }) else { return nil }
        if let app, app != state.app {
            throw Failure.installOtherApp(
                installed: state.app.description, offered: app.description)
        }
        if let embedded { try state.include(embedded) } else { state.embedded = nil }
        let pages = Dictionary(
            state.trees.map { ($0.version, $0.launch) }, uniquingKeysWith: { one, _ in one })
        try state.forgetTrees { version in
            guard try Installation.hasTree(version, in: directory) else { return true }
            // Without its first page, it would show a blank one.
            guard let launch = pages[version].flatMap({ $0 }) else { return false }
            return try directory.status("\(Installation.treePath(version))/\(launch)")?.kind
                != .file
        }
        return state
    }

    /// Decides by a state, which receives the result.
    private init(
        _ state: inout InstallState, _ directory: Directory, _ embedded: EmbeddedRelease?,
        _ nativeVersion: NativeVersion?
    ) {
        decision = StartDecision(state, nativeVersion)
        state.store(decision)
        running = state.started.flatMap { place in
            state[place].map { copy in
                let path =
                    switch place {
                    case .embedded: embedded?.path ?? ""
                    case .tree(let version):
                        directory.display(Installation.treePath(version))
                    }
                return Running(place: place, copy: copy, path: path)
            }
        }
        mustUpdate = running.map { state.mustUpdate($0.copy) } ?? false
        expires = state.seen.expires
    }
}

extension StartDecision {
    /// Decides by a state, whose embedded release is that of this app.
    init(_ state: InstallState, _ nativeVersion: NativeVersion?) {
        let candidates =
            state.trees.map { Candidate($0, in: state, isEmbedded: false) }
            + [state.embedded].compactMap { $0 }.map { Candidate($0, in: state, isEmbedded: true) }
        self.init(
            Situation(
                candidates: candidates, failed: Set(state.failed),
                bypasses: state.seen.bypasses, nativeVersion: state.nativeVersion),
            nativeVersion: nativeVersion)
    }
}

extension StartDecision.Candidate {
    fileprivate init(_ copy: InstallState.Copy, in state: InstallState, isEmbedded: Bool) {
        self.init(
            version: copy.version, isEmbedded: isEmbedded,
            isOfChannel: copy.channel == state.channel, epoch: copy.epoch ?? 0,
            sequence: copy.sequence, native: copy.native, isConfirmed: copy.isConfirmed,
            attempts: copy.attempts)
    }
}

extension InstallState {
    /// Stores what a start decided.
    fileprivate mutating func store(_ decision: StartDecision) {
        let after = decision.after
        for candidate in after.candidates {
            let place = candidate.isEmbedded ? Place.embedded : .tree(candidate.version)
            self[place]?.attempts = candidate.attempts
        }
        // In their order, and new ones at the end.
        failed.removeAll { !after.failed.contains($0) }
        let added = after.failed.subtracting(failed)
        failed += added.sorted { $0.description < $1.description }
        if nativeVersion != after.nativeVersion { tried = [:] }
        nativeVersion = after.nativeVersion
        switch decision.choice {
        case .web, .nothing: started = nil
        case .release(let version, let isEmbedded):
            started = isEmbedded ? .embedded : .tree(version)
            current = started
        }
    }

    /// The releases that an update does not install, because they did not become ready here.
    ///
    /// A confirmed release never counts as failed; none does in another version of the app.
    func excluded(nativeVersion: NativeVersion?) -> Set<Version> {
        guard nativeVersion == self.nativeVersion else { return [] }
        let ended = tried.filter { $0.value >= StartDecision.mostAttempts }.keys
        return Set(failed).union(ended).subtracting(
            (trees + [embedded].compactMap { $0 }).filter(\.isConfirmed).map(\.version))
    }

    /// Whether a release must be replaced before it continues.
    ///
    /// Only a pointer that offers this device another release counts, and none that is paused.
    func mustUpdate(_ running: Copy) -> Bool {
        // A pointer that is paused or bypassed offers nothing.
        guard let offered = seen.offered, offered != running.version,
            running.channel == seen.channel,
            !excluded(nativeVersion: nativeVersion).contains(offered),
            let least = seen.mandatorySequence
        else { return false }
        return running.order < (seen.epoch ?? 0, least)
    }
}
