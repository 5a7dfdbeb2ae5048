import PackFeeds
import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// A run that may change a channel's pointer: every such command is a value that it carries out.
///
/// The order is the same for all of them: the intent; the state is read; the command decides the
/// next pointer and what must exist for it (``announcing(reading:_:)``); this is uploaded and
/// proved; the log entry; the pointer; then `info.json` and `site/`, which follow from the pointer
/// alone (``carryOut(_:in:)``).
struct PointerTransaction: Sendable {
    let channel: Channel
    let store: any WritableStore
    let history: OriginHistory
    let jobs: Int
    /// The machine's clock, which dates the intent.
    ///
    /// `SOURCE_DATE_EPOCH` must not replace it: a prune would treat a running publish as expired.
    let clock: Timestamp
    /// The feeds to add to those of the channel.
    private let newFeeds: [Feed]
    let run: RunState

    init(
        _ channel: Channel, of version: Version? = nil, feeds: [Feed] = [],
        _ history: OriginHistory, _ store: any WritableStore, jobs: Int, clock: Timestamp
    ) {
        self.channel = channel
        self.store = store
        self.history = history
        self.jobs = jobs
        self.clock = clock
        newFeeds = feeds
        run = RunState(RunIntent(.change(channel, version), startedAt: clock))
    }

    private var now: Timestamp { store.time(clock) }

    // MARK: Intent and state

    /// Reads the state and runs `body` with it, while no prune and no publish of a root runs.
    ///
    /// - Parameter reading: Runs once other commands can see this one.
    /// - Throws: ``Failure/publishPruning(origin:path:)``, ``Failure/publishBlockedByRoot(origin:path:)``; errors of
    ///   `reading` and `body`.
    func announcing<State, Result>(
        reading: () async throws -> State, _ body: (State) async throws -> Result
    ) async throws -> Result {
        do {
            let state = try await store.announce(run.intent.upload) {
                // Answers cached before the intent was visible may be stale.
                store.invalidateCache()
                // Every state begins with the pointer.
                async let pointer: Void = store.readAhead(
                    OriginLayout.pointer(channel), limit: Pointer.sizeLimit)
                // It is replaced only if it is still the same.
                async let info: Void = readInfoAhead()
                async let feeds = try? Feed.present(on: channel, in: store)
                try await checkNobodyElse()
                await pointer
                let state = try await reading()
                await info
                _ = await feeds
                return state
            }
            guard let state else { throw Failure.publishBusy(origin: store.address) }
            run.isAnnounced = true
            let result = try await body(state)
            if !run.isWriting { try await store.remove([run.intent.path]) }
            return result
        } catch {
            if Task.isCancelled { store.cancelGuarantee() }
            // The intent can exist despite a failed upload: the response was lost, or a later
            // request of the check failed. Without it, a prune may delete unreferenced uploads; the
            // next run uploads them again.
            try? await uncancelled { [self] in
                if await leavesWork(error) { return }
                try await store.remove([run.intent.path])
            }
            throw error
        }
    }

    private func readInfoAhead() async {
        guard channel == .production else { return }
        await store.readAhead(OriginLayout.info, limit: Manifest.sizeLimit)
    }

    /// Throws if a prune or the publish of a root is running.
    private func checkNobodyElse() async throws {
        let others = try await RunIntent.recorded(
            store, except: run.intent.path, where: RunIntent.isExclusive)
        for other in others where store.mayBeAtWork(other, now: now) {
            let path = store.display(other.path)
            if other.isPrune { throw Failure.publishPruning(origin: store.address, path: path) }
            if other.isRoot {
                throw Failure.publishBlockedByRoot(origin: store.address, path: path)
            }
        }
    }

    /// Whether a failed run leaves something that its intent must stay for.
    private func leavesWork(_ error: any Error) async -> Bool {
        guard run.isWriting else { return false }
        if run.mayBeNamed { return true }
        // `info.json` or `site/` still has the previous release: the next run updates them, and
        // `verify` must not report damage until then.
        if (error as? Failure)?.code == .publishLiveButOutdated { return true }
        // Its log entry is there, and the pointer is not.
        if let entry = run.logEntry, !error.meansOvertaken,
            (try? await store.holds(entry.content, at: entry.path)) != false
        {
            return true
        }
        return await !isOriginWithoutIntents()
    }

    /// Whether more than intents distinguishes uploads from foreign files.
    private func isOriginWithoutIntents() async -> Bool {
        if (try? await store.isFolder(OriginLayout.channels)) ?? false { return true }
        let names = (try? await store.names(in: OriginLayout.workspace)) ?? []
        return names.contains { "\(OriginLayout.workspace)/\($0)" != OriginLayout.intents }
    }

    /// Makes the intent durable, and runs `body` with a staging of its own.
    ///
    /// - Throws: ``IntentMissing`` outside of ``announcing(reading:_:)``.
    func withStaging<Result>(
        of version: Version, _ body: (Staging) async throws -> Result
    ) async throws -> Result {
        guard run.isAnnounced else { throw IntentMissing() }
        run.isWriting = true
        var intent = run.intent
        intent.kind = .change(channel, version)
        guard try await store.confirm(intent.upload) else {
            throw Failure.publishBusy(origin: store.address)
        }
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

    // MARK: Commit

    /// What a command decided.
    struct Decision {
        enum Target {
            /// The next pointer.
            case commit(PointerCommit)
            /// A pointer that others sign later: it is recorded, and does not go live.
            case propose(PointerCommit)
            /// The live pointer, whose `info.json` and `site/` are updated if they are behind.
            case complete(OriginReader.Published)
        }

        let target: Target
        /// Creates everything the pointer names, and reads it back.
        var upload: () async throws -> Void = {}
        /// Reads back what `upload` has created last.
        var readBack: () async throws -> Void = {}
        /// Whether `info.json` and `site/` are updated.
        var updatesFollowers = true
        /// The release whose objects `upload` has read.
        var proved: Manifest?
        /// Files that nothing needs once the pointer is live.
        var obsolete: [String] = []
    }

    /// What a transaction did besides its commit.
    struct Outcome {
        var site: SiteFollower.Prepared?
        var notes: [String] = []
    }

    /// Uploads and proves, commits, and updates `info.json` and `site/`.
    ///
    /// - Throws: ``Failure/publishRootChanged(path:)``, ``Failure/publishLiveButOutdated(_:outdated:cause:)``; errors of
    ///   ``PointerCommit/commit()`` and of the decision's functions.
    func carryOut(_ decision: Decision, in staging: Staging) async throws -> Outcome {
        // Everything staged becomes durable in one call, before any of it has a public name. So do
        // files that an interrupted run put in place.
        try await store.flush()
        switch decision.target {
        case .commit(let commit):
            let published = try commit.published()
            let (updates, proved) = (decision.updatesFollowers, decision.proved)
            // No root can come once the run is announced, so this may end at any time before the
            // log entry.
            _ = try await store.together(decision.upload) { _ in
                try await commit.checkRoots()
                try await store.awaitGuarantee()
            }
            let (_, following) = try await store.together(decision.readBack) { _ in
                updates ? try await prepare(published, proved, staging) : nil
            }
            try await self.commit(commit)
            try? await store.remove(decision.obsolete)
            return try await finish(commit.pointer, staging, following, isCommitted: true)
        case .complete(let live):
            try await store.awaitGuarantee()
            try await decision.upload()
            try await decision.readBack()
            let following =
                decision.updatesFollowers
                ? try await prepare(live, decision.proved, staging) : nil
            return try await finish(live.pointer, staging, following, isCommitted: false)
        case .propose(let commit):
            try await store.awaitGuarantee()
            try await decision.upload()
            try await decision.readBack()
            // Prunes keep what the record names.
            let record = Upload(OriginLayout.proposal(channel), commit.bytes)
            _ = try await run.naming { try await store.replace(record, if: .always) }
            try staging.discard()
            try await clearIntents()
            return Outcome()
        }
    }

    private func prepare(
        _ published: OriginReader.Published, _ known: Manifest?, _ staging: Staging
    ) async throws -> Following? {
        guard let follower = try await follower(of: published, known: known) else { return nil }
        return try await (
            follower,
            follower.prepare(in: staging, isProved: follower.release == known?.release)
        )
    }

    private func commit(_ commit: PointerCommit) async throws {
        run.logEntry = commit.logEntry
        // With both conditional writes, requests still in flight cannot take effect.
        let isOver = { (error: any Error) in
            store.guarantee == .conditions && error.meansOvertaken
        }
        try await run.naming(isOver: isOver) {
            try await commit.commit()
        }
    }

    // MARK: info.json and site/

    private typealias Following = (follower: SiteFollower, prepared: SiteFollower.Prepared)

    /// What `info.json`, `site/` and feeds must show for a pointer: its unconditional release.
    ///
    /// - Parameter known: A manifest that need not be read.
    /// - Returns: `nil` if the pointer changes nothing there, as in other channels than the default
    ///   one that have no feeds.
    func follower(
        of published: OriginReader.Published, known: Manifest? = nil
    ) async throws -> SiteFollower? {
        let present = try await Feed.present(on: channel, in: store)
        let feeds = Feed.allCases.filter { present.contains($0) || newFeeds.contains($0) }
        let hasSite = channel == .production
        guard hasSite || !feeds.isEmpty else { return nil }
        let isClosed = published.pointer.isClosed
        var shown = published.unconditional
        // Its feeds are withdrawn, whatever it last offered.
        if shown == nil, isClosed, !feeds.isEmpty {
            shown = try await history.followed(by: published)
        }
        guard let offer = shown else { return nil }
        let manifest: Manifest
        if let known, known.release.packageHash == offer.pointer.packageHash {
            manifest = known
        } else {
            manifest = try await history.reader.manifest(of: offer)
        }
        return SiteFollower(
            release: manifest.release, launch: manifest.launch, manifest: offer.manifestFile,
            hasSite: hasSite,
            feeds: feeds.isEmpty
                ? nil
                : FeedFollower(
                    feeds, to: offer, manifest.release, isClosed: isClosed, store, jobs: jobs),
            store: store, jobs: jobs)
    }

    /// Updates `info.json` and `site/`, and ends the run.
    ///
    /// - Parameter isCommitted: Whether this run committed the pointer after preparing `following`.
    private func finish(
        _ pointer: Pointer, _ staging: Staging, _ following: Following?, isCommitted: Bool
    ) async throws -> Outcome {
        var outcome = Outcome(
            site: following?.prepared, notes: following?.prepared.feeds.notes ?? [])
        do {
            if store.guarantee == .createOnly {
                outcome.notes.append(PointerCommit.residue(of: store))
            }
            if let following {
                outcome.notes += try await follow(
                    pointer, staging, isCommitted: isCommitted, following)
            } else {
                try await clear(staging)
            }
        } catch {
            let behind = await following?.follower.placesBehind() ?? []
            throw PointerCommit.live(pointer, error, behind: behind)
        }
        return outcome
    }

    private func clear(_ staging: Staging) async throws {
        try staging.discard()
        try await clearIntents()
    }

    private func clearIntents() async throws {
        let own = run.intent.path
        try await store.remove(
            store.leftIntents(now: now, except: own) { $0 == channel.description } + [own])
    }

    /// Updates `info.json` and `site/` to the pointer's release, unless another publish replaces it.
    ///
    /// - Returns: Notes about concurrent publishes.
    private func follow(
        _ pointer: Pointer, _ staging: Staging, isCommitted: Bool, _ following: Following
    ) async throws -> [String] {
        // With both conditional writes, the commit proves that the pointer did not change while the
        // update was prepared.
        let isKnownLive = isCommitted && store.guarantee == .conditions
        try await following.follower.follow(following.prepared, isKnownLive: isKnownLive) {
            try await successor(of: pointer) == nil
        }
        // All files are written, and nearly always no other run has to be looked after.
        let (newer, isCleared) = try await store.together {
            try await successor(of: pointer)
        } _: { isAfter in
            if !isAfter { try await clear(staging) }
            return !isAfter
        }
        guard let newer else {
            if !isCleared { try await clear(staging) }
            return []
        }
        var note =
            "another publish has since replaced this release (sequence \(newer.pointer.sequence))"
        do {
            // A run that writes is announced.
            if isCleared { _ = try await store.replace(run.intent.upload, if: .always) }
            try await followSuccessor(newer)
        } catch {
            note += "; info.json or site/ may show this one until the next publish: \(error)"
        }
        try await clear(staging)
        return [note]
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
        let path = OriginLayout.pointer(channel)
        guard let stored = try await reader.pointerFile(channel) else { return nil }
        let live = try reader.published(stored, at: path, of: channel)
        guard live.pointer.sequence != pointer.sequence else { return nil }
        // Another publisher wrote this pointer.
        try await reader.prove(live)
        return live
    }
}

extension Error {
    /// Whether another publish committed first.
    fileprivate var meansOvertaken: Bool {
        (self as? Failure)?.code == .publishOvertaken
    }
}
