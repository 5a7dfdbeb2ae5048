import PackOrigin
import PackRelease

/// The steps around a commit that all channel-changing commands share.
///
/// Intent and staging precede the commit; `info.json` and `site/` follow it.
package struct ChannelUpdate: Sendable {
    let channel: Channel
    let store: any WritableStore
    let history: OriginHistory
    let jobs: Int
    /// The machine's clock, which dates the intent.
    ///
    /// `SOURCE_DATE_EPOCH` must not replace it: a prune would treat a running publish as expired.
    let clock: Timestamp

    /// The intent already written.
    ///
    /// Stores without a lock write it before any read.
    package var announced: IntentHandle?

    private let progress = CommitProgress()

    init(
        channel: Channel, store: any WritableStore, history: OriginHistory, jobs: Int,
        clock: Timestamp
    ) {
        self.channel = channel
        self.store = store
        self.history = history
        self.jobs = jobs
        self.clock = clock
    }

    /// Blocks prunes while `body` reads the origin's state and commits.
    ///
    /// A store with a lock needs no intent for this.
    ///
    /// - Throws: ``PublishError/pruning(origin:place:)``, ``PublishError/publishingRoot(origin:place:)``; what `body`
    ///   throws.
    func announcing<Result>(
        _ version: Version?, _ body: (ChannelUpdate) async throws -> Result
    ) async throws -> Result {
        try await announcing(version, reading: { _ in }, { update, _ in try await body(update) })
    }

    /// The same with a first read, which a store can run in parallel with the intent's checks.
    func announcing<State, Result>(
        _ version: Version?, reading: (ChannelUpdate) async throws -> State,
        _ body: (ChannelUpdate, State) async throws -> Result
    ) async throws -> Result {
        guard !store.hasLock else { return try await body(self, reading(self)) }
        let intent = PublishIntent(channel: channel, version: version, startedAt: clock)
        var update = self
        let announcement = IntentHandle(place: intent.place)
        update.announced = announcement
        do {
            let state = try await store.announce(intent.upload) {
                // Answers cached before the intent was visible may be stale.
                store.invalidateCache()
                // Every state begins with the pointer.
                async let pointer: Void = store.readAhead(
                    OriginLayout.pointer(channel), limit: Pointer.sizeLimit)
                try await checkNobodyElse()
                await pointer
                return try await reading(update)
            }
            guard let state else { throw PublishError.busy(origin: store.address) }
            let result = try await body(update, state)
            if !announcement.isInUse { try await store.remove([intent.place]) }
            return result
        } catch {
            // The intent can exist despite a failed upload: the response was lost, or a later
            // request of the
            // check failed. Without it, a prune may delete unreferenced uploads; the next run
            // uploads them
            // again. In a new origin, only the intent distinguishes the objects from foreign files.
            try? await uncancelled { [update] in
                if announcement.isInUse {
                    guard !announcement.mayBeNamed, !Self.leavesFollowersBehind(error),
                        await update.isOld()
                    else { return }
                }
                try await update.store.remove([intent.place])
            }
            throw error
        }
    }

    /// Whether `info.json` or `site/` still has the previous release.
    ///
    /// The intent then stays until the next run updates them, so `verify` does not report damage.
    private static func leavesFollowersBehind(_ error: any Error) -> Bool {
        if case PublishError.liveButBehind = error { true } else { false }
    }

    /// Runs the checks of an intent for a dry run, which writes none.
    ///
    /// Does not check the lock, because its state can change at any moment.
    func checkIsFree() async throws {
        guard !store.hasLock else { return }
        try await checkNobodyElse()
        try store.checkClock()
    }

    /// Throws if a prune or the publish of a root is running.
    ///
    /// Runs after the intent is written, so either the publisher or the prune sees the other's
    /// intent.
    private func checkNobodyElse() async throws {
        let now = store.time(clock)
        for other in try await PublishIntent.others(store) {
            let place = store.display(other.place)
            switch other.channel {
            case PruneIntent.name where !other.isOver(now, after: PruneIntent.lifetime):
                throw PublishError.pruning(origin: store.address, place: place)
            case RootIntent.name where !other.isOver(now, after: RootIntent.lifetime):
                throw PublishError.publishingRoot(origin: store.address, place: place)
            default: break
            }
        }
    }

    /// Whether the origin already has channels.
    private func isOld() async -> Bool {
        (try? await store.isFolder(OriginLayout.channels)) ?? false
    }

    /// Writes the intent, and runs `body` with its own staging.
    ///
    /// - Throws: ``IntentMissing`` in a store without a lock if no intent was written.
    func withStaging<Result>(
        of version: Version, _ body: (Staging) async throws -> Result
    ) async throws -> Result {
        if let announced {
            announced.use()
            return try await withStaging(body)
        }
        guard store.hasLock else { throw IntentMissing() }
        let intent = PublishIntent(channel: channel, version: version, startedAt: clock)
        do {
            guard try await store.create([intent.upload]) == [.made] else {
                throw PublishError.busy(origin: store.address)
            }
            return try await withStaging(body)
        } catch {
            // The intent marks unfinished work, which starts with the log entry. Remove it if no
            // entry exists.
            try? await uncancelled { [store, progress] in
                switch progress.step {
                case .before: break
                case .begun(let entry):
                    guard try await store.status(of: entry) == nil else { return }
                case .done: return
                }
                try await store.remove([intent.place])
            }
            throw error
        }
    }

    private func withStaging<Result>(
        _ body: (Staging) async throws -> Result
    ) async throws -> Result {
        // Created after the intent, so a failed intent leaves no staging. A power cut may lose it.
        let staging = try store.makeStaging()
        do {
            return try await body(staging)
        } catch {
            // It would only use space.
            try? staging.discard()
            throw error
        }
    }

    /// Commits a pointer, unless a root was published since the roots were read.
    ///
    /// - Parameter last: The last work before the commit. Without a lock, it runs in parallel with
    ///   the
    ///   check for new roots.
    /// - Throws: ``PublishError/rootMeanwhile(place:)``; errors of ``PointerCommit/commit()`` and
    ///   `last`.
    func commit<Result>(
        _ commit: PointerCommit, after last: () async throws -> Result
    ) async throws -> Result {
        let result = try await lookingForRoots(commit, last)
        let pointer = commit.pointer
        progress.step = .begun(
            logEntry: OriginLayout.logEntry(pointer.channel, pointer.sequence))
        // With both conditional writes, requests still in flight cannot take effect.
        let isKnown = store.guarantee == .conditions
        try await announced.naming(isOver: { $0.meansDenial || isKnown && $0.meansOvertaken }) {
            try await commit.commit()
        }
        return result
    }

    private func lookingForRoots<Result>(
        _ commit: PointerCommit, _ body: () async throws -> Result
    ) async throws -> Result {
        guard !store.hasLock else {
            let result = try await body()
            try await commit.checkRoots()
            return result
        }
        async let roots: Void = commit.checkRoots()
        let result = try await body()
        try await roots
        return result
    }

    /// Records a pointer awaiting signatures, so prunes keep its files, and ends the run.
    func propose(
        _ commit: PointerCommit, _ staging: Staging
    ) async throws {
        let record = Upload(OriginLayout.proposal(channel), commit.bytes)
        _ = try await announced.naming { try await store.replace(record, if: .always) }
        try staging.discard()
        try await clearIntents()
    }

    private func clearIntents() async throws {
        try await PublishIntent.clear(
            of: channel, store, own: announced?.place,
            now: store.time(clock))
    }

    // MARK: info.json and site/

    /// A prepared update of `info.json` and `site/`.
    typealias Following = (follower: SiteFollower, prepared: SiteFollower.Prepared)

    /// The follower to a release; `nil` for channels other than the default one.
    func follower(to manifest: Manifest, in file: ObjectReference) -> SiteFollower? {
        guard channel == .production else { return nil }
        return SiteFollower(
            release: manifest.release, launch: manifest.launch, manifest: file, store: store,
            jobs: jobs)
    }

    /// The follower to a pointer's unconditional release; `nil` if there is none.
    func follower(of published: OriginReader.Published) async throws -> SiteFollower? {
        guard channel == .production, let offer = published.unconditional else { return nil }
        return follower(
            to: try await history.reader.manifest(of: offer), in: offer.manifestFile)
    }

    func prepare(
        _ follower: SiteFollower?, in staging: Staging, isProved: Bool = false
    ) async throws -> Following? {
        guard let follower else { return nil }
        return (follower, try await follower.prepare(in: staging, isProved: isProved))
    }

    /// Updates `info.json` and `site/`, and ends the run.
    ///
    /// - Parameters:
    ///   - isCommitted: Whether this run committed the pointer after preparing `following`.
    ///   - notes: Receives notes about concurrent publishes.
    /// - Throws: ``PublishError/liveButBehind(_:)``.
    func finish(
        _ pointer: Pointer, isCommitted: Bool, _ staging: Staging, _ following: Following?,
        _ notes: inout [String]
    ) async throws {
        progress.step = .done
        if store.guarantee == .createOnly { notes.append(PointerCommit.residue(of: store)) }
        do {
            if let following {
                try await follow(pointer, isCommitted: isCommitted, following, &notes)
            }
            try staging.discard()
            try await clearIntents()
        } catch {
            let behind = await following?.follower.placesBehind() ?? []
            throw PointerCommit.live(pointer, error, behind: behind)
        }
    }

    /// Updates `info.json` and `site/` to the pointer's release, unless another publish replaces
    /// it.
    private func follow(
        _ pointer: Pointer, isCommitted: Bool, _ following: Following, _ notes: inout [String]
    ) async throws {
        // With both conditional writes, the commit proves that the pointer did not change while the
        // update
        // was prepared.
        let isKnownLive = isCommitted && store.guarantee == .conditions && !store.hasLock
        try await following.follower.follow(following.prepared, isKnownLive: isKnownLive) {
            try await successor(of: pointer) == nil
        }
        guard let newer = try await successor(of: pointer) else { return }
        var note =
            "another publish has since replaced this release (sequence \(newer.pointer.sequence))"
        do {
            try await followSuccessor(newer)
        } catch {
            note += "; info.json or site/ may show this one until the next publish: \(error)"
        }
        notes.append(note)
    }

    /// Corrects files written after another publish had already written the same keys.
    ///
    /// A store cannot check the pointer and write to `site/` atomically. So each publish checks the
    /// pointer after its last write; the last publish to check leaves the live release.
    private func followSuccessor(_ newer: OriginReader.Published) async throws {
        var live = newer
        while true {
            guard let follower = try await follower(of: live) else { return }
            let staging = try store.makeStaging()
            defer { try? staging.discard() }
            let pointer = live.pointer
            try await follower.follow(follower.prepare(in: staging)) {
                try await successor(of: pointer) == nil
            }
            guard let newer = try await successor(of: pointer) else { return }
            live = newer
        }
    }

    /// The channel's pointer if it is no longer the given one.
    private func successor(of pointer: Pointer) async throws -> OriginReader.Published? {
        let reader = history.reader
        let place = OriginLayout.pointer(channel)
        guard let stored = try await reader.pointerFile(channel) else { return nil }
        let live = try reader.published(stored, at: place, of: channel)
        guard live.pointer.sequence != pointer.sequence else { return nil }
        // Another publisher wrote this pointer.
        try await reader.prove(live)
        return live
    }
}

extension Error {
    /// Whether another publish committed first.
    fileprivate var meansOvertaken: Bool {
        if case .overtaken? = self as? PublishError { true } else { false }
    }
}
