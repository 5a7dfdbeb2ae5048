import PackFeeds
import PackGround
package import PackOrigin
import PackRelease
import PackTrust

/// Publishes a release by the protocol of `docs/architecture.md`: everything immutable first, made durable and read
/// back; then the log entry, which exists once and so decides between publishers; then the pointer, the commit point;
/// then what follows from it.
///
/// Killed anywhere, a client sees the old release or the new one, whole. Run again, it converges.
package struct Publisher: Sendable {
    private(set) var request: PublishRequest
    let store: any WritableStore
    let history: OriginHistory
    let steps: PointerTransaction
    private let ahead: PublishPrefetch?

    init(_ request: PublishRequest, _ store: any WritableStore, _ ahead: PublishPrefetch? = nil) {
        self.request = request
        self.ahead = ahead
        self.store = store
        history = OriginHistory(store, policy: .recordedInLog, keepsManifest: true)
        steps = PointerTransaction(
            request.channel, of: request.scan.release.version,
            feeds: request.repairs ? [] : request.feeds, history, store, jobs: request.jobs,
            clock: request.clock)
    }

    var release: Release { request.scan.release }

    var uploader: ReleaseUploader {
        ReleaseUploader(
            release: release, store: store, jobs: request.jobs, progress: request.progress,
            run: steps.run)
    }

    /// Publishes to the request's origin.
    ///
    /// - Throws: ``Failure``. Before the commit point
    ///   nothing that a client reads has changed.
    package static func publish(_ request: PublishRequest) async throws -> PublishReport {
        try checkPaths(origin: request.origin, build: request.scan.directory.path)
        try checkManifest(request)
        if request.requiresOrigin, try StoreOpener.writeIfPresent(request.origin) == nil {
            throw Failure.publishNoOrigin(origin: request.origin)
        }
        return try await StoreOpener.write(request.origin) {
            let store = request.store($0)
            return try await Publisher(request.trusting(store), store).publish()
        }
    }

    /// Publishes to a store instead of the request's origin.
    package static func publish(
        _ request: PublishRequest, to store: any WritableStore
    ) async throws -> PublishReport {
        try checkManifest(request)
        let ahead = PublishPrefetch(request, store)
        async let _ = ahead.readPointer()
        return try await Publisher(request.trusting(store), store, ahead).publish()
    }

    /// Checks a request without looking at the origin.
    static func checkManifest(_ request: PublishRequest) throws {
        if let label = request.label { try PublishState.checkForm(ofLabel: label) }
        try request.scan.release.checkPortable(root: request.scan.directory.path)
        try request.manifest.check(request.scan.release)
        try checkFeeds(request)
    }

    /// Refuses a feed whose client could not install the release.
    private static func checkFeeds(_ request: PublishRequest) throws(Failure) {
        guard !request.repairs else { return }
        for feed in request.feeds {
            let problem = feed.problem(
                of: request.scan.release, on: request.channel, at: request.manifest.baseURL)
            guard let problem else { continue }
            throw .publishFeedUnsupported(feed: feed.rawValue, problem: problem)
        }
    }

    /// The build must not contain the origin, or it would ship itself.
    package static func checkPaths(origin: String, build: String) throws {
        let (first, second) = (resolvedPath(origin) + "/", resolvedPath(build) + "/")
        if first.hasPrefix(second) || second.hasPrefix(first) {
            throw Failure.publishOriginInsideBuild(origin: origin, build: build)
        }
    }

    func publish() async throws -> PublishReport {
        let isNew = try await checkIsOrigin()
        var report = try await store.alone(isNew: isNew) {
            async let _ = ahead?.makePackage()
            // What is still not answered is of no use any more.
            defer { ahead?.stop() }
            return try await publishAlone()
        }
        if isNew { report.noteNewOrigin(store.address) }
        return report
    }

    /// Refuses what is neither an origin nor empty.
    ///
    /// - Returns: whether it is empty.
    func checkIsOrigin() async throws -> Bool {
        if try await store.isEmpty() {
            if request.requiresOrigin { throw Failure.publishNoOrigin(origin: store.address) }
            return true
        }
        if try await history.isOrigin() { return false }
        throw Failure.publishNotEmpty(origin: store.address)
    }

    /// Publishes once the run is announced, because a prune may delete files that this run found.
    ///
    /// A run that will probably write nothing saves the announcement.
    private func publishAlone() async throws -> PublishReport {
        if !request.repairs, !request.renew, try await isCurrent() {
            do {
                return try await publish(after: read())
            } catch is IntentMissing {}
        }
        return try await steps.announcing(reading: read) {
            try await request.repairs ? repair($0) : publish(after: $0)
        }
    }

    /// Whether the channel offers the release first.
    private func isCurrent() async throws -> Bool {
        // A listing answers that: a new release costs no look at the pointer.
        let manifest = OriginLayout.manifest(release.version)
        guard let ahead, try await store.status(of: manifest) != nil else { return false }
        return await ahead.pointer?.packageHash == release.packageHash
    }

    private func read() async throws -> PublishState {
        try await PublishState.read(request, steps.run, store, history)
    }

    /// With the time of a run that follows what the channel has now.
    func refreshed(with state: PublishState) -> Publisher {
        var publisher = self
        publisher.request.now = request.now.refreshed(
            with: state.current?.pointer, request.later)
        return publisher
    }

    private func publish(after state: PublishState) async throws -> PublishReport {
        try await refreshed(with: state).publishCaughtUp(after: state)
    }

    private func publishCaughtUp(after state: PublishState) async throws -> PublishReport {
        let objects = try await ObjectPlan.make(release, store, repairs: store.hashes != nil)
        var report = PublishReport(request, state, objects)
        let current = try currentRelease(state, objects, report)
        if let current, current.isWhole, try await damaged(among: objects).isEmpty {
            return try await addDeltas(to: current, state, &report)
        }
        try checkTime(after: state.current?.pointer)
        try checkConditions(after: state.current?.pointer)
        try await checkSpace(objects, state)
        return try await withStaging { staging in
            try await PendingUploads.with { pending in
                let staged = try await stage(objects, state, staging, pending, &report)
                try await commit(
                    staged, state, current == nil ? .published : .renewed, staging, &report,
                    pending, unread: objects.unread + objects.missing)
                return report
            }
        }
    }

    /// From staged files to the end of the publish.
    func commit(
        _ staged: StagedRelease, _ state: PublishState, _ outcome: PublishReport.Outcome,
        _ staging: Staging, _ report: inout PublishReport, _ pending: PendingUploads? = nil,
        unread: [ObjectPlan.Object]? = nil
    ) async throws {
        let commit = try await stage(pointer: staged.entry, state, report, in: staging)
        report.outcome = outcome
        report.tell(of: commit.pointer, request)
        try await carryOut(commit, staging, &report, proving: staged.manifest) {
            try await uploader.upload(staged)
        } readBack: {
            _ = try await store.together {
                try await uploader.readBackManifest(of: staged.entry)
            } _: { _ in
                try await pending?.wait()
                try await uploader.readBack(
                    staged.manifest, commit.pointer.deltas, objects: unread)
            }
        }
    }

    // MARK: Steps

    /// Commits a pointer, or leaves this to those who sign it.
    private func carryOut(
        _ commit: PointerCommit, _ staging: Staging, _ report: inout PublishReport,
        proving manifest: Manifest? = nil, _ upload: @escaping () async throws -> Void = {},
        readBack: @escaping () async throws -> Void = {}
    ) async throws {
        report.pointerSize = UInt64(commit.bytes.count)
        if request.isProposal {
            report.outcome = .proposed
            report.proposal = commit.bytes
        }
        try await carryOut(
            .init(
                target: request.isProposal ? .propose(commit) : .commit(commit), upload: upload,
                readBack: readBack, proved: manifest), staging, &report)
    }

    func carryOut(
        _ decision: PointerTransaction.Decision, _ staging: Staging,
        _ report: inout PublishReport
    ) async throws {
        let done = try await steps.carryOut(decision, in: staging)
        if let site = done.site {
            report.count(site.site)
            report.feeds = site.feeds.changes
        }
        report.notes += done.notes
    }

    /// Writes the intent, and runs `body` with its own staging.
    func withStaging(
        _ body: (Staging) async throws -> PublishReport
    ) async throws -> PublishReport {
        try await steps.withStaging(of: release.version, body)
    }

    private func stage(
        _ objects: ObjectPlan, _ state: PublishState, _ staging: Staging,
        _ pending: PendingUploads, _ report: inout PublishReport
    ) async throws -> StagedRelease {
        try await ReleaseStager(
            request: request, store: store, history: history, state: state, staging: staging,
            uploader: uploader, pending: pending, ahead: ahead
        ).stage(objects, &report)
    }

    private func stage(
        pointer entry: Pointer.Entry, _ state: PublishState, _ report: PublishReport,
        in staging: Staging
    ) async throws -> PointerCommit {
        try await PointerCommit.stage(
            Self.nextPointer(request, to: entry, state, report), after: state.channel.replaced,
            signer: request.signer, request.signing, store, in: staging)
    }

    static func nextPointer(
        _ request: PublishRequest, to entry: Pointer.Entry, _ state: PublishState,
        _ report: PublishReport
    ) throws(Failure) -> Pointer {
        let stamp = state.channel.stamp(
            now: request.now, expires: report.expires, by: request.by)
        let change = Pointer.Change.publish(entry, request.conditions)
        var next: Pointer
        if let current = state.current?.pointer {
            next = .next(after: current, stamp, change)
        } else {
            next = .first(
                app: request.manifest.app, channel: request.channel, stamp, change, entry)
        }
        // Under a new root a pointer is signed again.
        next.root = request.root?.version
        next.isProposed = request.isProposal
        try request.signing?.check(
            keeps: state.channel.keepsSomething(next), of: request.channel)
        return next
    }

    // MARK: The same content again

    /// The release is current: proves what is published, and finishes what an interrupted run left undone.
    func republish(
        _ current: CurrentRelease, _ state: PublishState, _ earlier: PublishReport
    ) async throws -> PublishReport {
        var report = earlier
        let repetition = try await repetition(of: current, &report)
        var pointer = current.published.pointer
        if repetition == .renew { try await leaveOutDamagedDeltas(&pointer, &report) }
        try await uploader.readBack(
            current.manifest, pointer.deltas, objects: current.unread)
        switch repetition {
        case .keep:
            report.outcome = .unchanged
            return report
        case .complete:
            report.outcome = .completed
            return try await withStaging { staging in
                try await carryOut(.init(target: .complete(current.published)), staging, &report)
                return report
            }
        case .renew:
            report.outcome = .renewed
            return try await withStaging { staging in
                let commit = try await stage(pointer: pointer.entry, state, report, in: staging)
                try await carryOut(commit, staging, &report)
                return report
            }
        }
    }

    /// A pointer that is about to expire must not wait for a delta that clients can do without.
    func leaveOutDamagedDeltas(
        _ pointer: inout Pointer, _ report: inout PublishReport
    ) async throws {
        for delta in pointer.deltas {
            let path = OriginLayout.delta(release.version, from: delta.from)
            if try await store.holds(delta.content.content, at: path) { continue }
            pointer.deltas.removeAll { $0 == delta }
            report.notes.append(
                "no delta from \(delta.from): '\(store.display(path))' is missing or damaged; 'packtool publish' with "
                    + "this build and --repair restores it")
        }
    }
}
