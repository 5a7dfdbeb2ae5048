import PackOrigin
import PackRelease

/// What every command that changes a channel does around its commit: intent and staging before it, `info.json` and
/// `site/` after it.
package struct ChannelUpdate: Sendable {
    let channel: Channel
    let store: any WritableStore
    let history: OriginHistory
    let jobs: Int
    /// The machine's clock, by which others tell how old an intent is: with `SOURCE_DATE_EPOCH` in its place a prune
    /// would take a publish at work for one that is over.
    let clock: Timestamp

    /// The intent that was written already: in a store without a lock, before anything was read.
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

    /// Keeps prunes away while `body` decides what is there already, and commits.
    ///
    /// The store's lock does that where it has one.
    ///
    /// - Throws: ``PublishError/pruning(origin:place:)``, ``PublishError/publishingRoot(origin:place:)``; what `body`
    ///   throws.
    func announcing<Result>(
        _ version: Version?, _ body: (ChannelUpdate) async throws -> Result
    ) async throws -> Result {
        try await announcing(version, reading: { _ in }, { update, _ in try await body(update) })
    }

    /// The same with what `body` reads first, which a store need not wait for.
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
                // What others see of this run from now on they did not see when it looked before.
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
            // It can be there although its upload failed: the answer was lost, or a later request of the proof failed.
            // What nothing names may be pruned: the next run uploads it again. In a new origin the intent is all that
            // tells the objects from foreign files.
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

    /// Whether `info.json` or `site/` still shows the release before: the intent tells `verify` that this is no damage,
    /// until the next run has finished it.
    private static func leavesFollowersBehind(_ error: any Error) -> Bool {
        if case PublishError.liveButBehind = error { true } else { false }
    }

    /// Refuses what would refuse the intent of a run, for a dry run, which has none.
    ///
    /// Whether somebody has a lock at this moment says nothing of the next one.
    func checkIsFree() async throws {
        guard !store.hasLock else { return }
        try await checkNobodyElse()
        try store.checkClock()
    }

    /// Looks for what keeps publishers away.
    ///
    /// Called after the intent was written: of a publisher and a prune one sees the other.
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

    /// Whether something was published before.
    private func isOld() async -> Bool {
        (try? await store.isFolder(OriginLayout.channels)) ?? false
    }

    /// Writes the intent, and runs `body` with its own staging.
    ///
    /// - Throws: ``IntentMissing`` in a store without a lock, where no intent was written.
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
            // It tells the next run that something is left to finish, which begins with the log entry.
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
        // After the intent, so that a failure there leaves none; a power cut may lose the staging.
        let staging = try store.makeStaging()
        do {
            return try await body(staging)
        } catch {
            // It would only use space.
            try? staging.discard()
            throw error
        }
    }

    /// Commits a pointer, unless a root has come since the roots were read.
    ///
    /// - Parameter last: what has to be done before; the look for a root takes no time beside it.
    /// - Throws: ``PublishError/rootMeanwhile(place:)``; as ``PointerCommit/commit()``; what `last` throws.
    func commit<Result>(
        _ commit: PointerCommit, after last: () async throws -> Result
    ) async throws -> Result {
        let result = try await lookingForRoots(commit, last)
        let pointer = commit.pointer
        progress.step = .begun(
            logEntry: OriginLayout.logEntry(pointer.channel, pointer.sequence))
        // With both conditions nothing that is still on its way can take effect.
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

    /// Records a pointer that waits for signatures, so that no prune deletes what it names, and ends the run.
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

    /// `info.json` and `site/`, ready to be brought to a release.
    typealias Following = (follower: SiteFollower, prepared: SiteFollower.Prepared)

    /// The follower to a release; other channels than the default one have none.
    func follower(to manifest: Manifest, in file: ObjectReference) -> SiteFollower? {
        guard channel == .production else { return nil }
        return SiteFollower(
            release: manifest.release, launch: manifest.launch, manifest: file, store: store,
            jobs: jobs)
    }

    /// The follower to the release of a pointer that every device may have; `nil` if there is none.
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

    /// Updates what follows the pointer, and ends the run.
    ///
    /// - Parameters:
    ///   - isCommitted: whether this run has committed the pointer since it prepared what follows.
    ///   - notes: gets what another publisher did meanwhile.
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

    /// Brings `info.json` and `site/` to the pointer's release, unless another publish replaces it meanwhile.
    private func follow(
        _ pointer: Pointer, isCommitted: Bool, _ following: Following, _ notes: inout [String]
    ) async throws {
        // With both conditions the commit was the look: what was prepared before it was read while the pointer was the
        // one before.
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

    /// Corrects what was written after another publish had already written the same place.
    ///
    /// A store cannot look at the pointer and write to `site/` in one step. So each publish looks again after its
    /// last write, and the last one to look leaves the live release.
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
        // What somebody else wrote.
        try await reader.prove(live)
        return live
    }
}

extension Error {
    /// Whether another publish was faster.
    fileprivate var meansOvertaken: Bool {
        if case .overtaken? = self as? PublishError { true } else { false }
    }
}
