import PackGround
import PackOrigin
import PackRelease

/// Brings the files for clients without pointers to the release that a channel offers to every
/// device: `info.json` and `site/` of the default channel, and the channel's feeds.
///
/// All are updated after the commit; until then they show the previous release, which is valid too.
struct SiteFollower: Sendable {
    let release: Release
    /// The page that is replaced last.
    let launch: AssetPath?
    /// The release's manifest at the origin.
    let manifest: ObjectReference
    /// Whether `info.json` and `site/` follow this channel.
    let hasSite: Bool
    /// `nil` if the channel has none.
    let feeds: FeedFollower?
    let store: any WritableStore
    package let jobs: Int

    /// What is staged and ready to be moved to its places.
    struct Prepared: Sendable {
        let info: FollowingFile?
        let site: SitePlan
        let feeds: FeedFollower.Prepared
        let staging: Staging
    }

    /// - Returns: `nil` if `info.json` is current, or does not follow the channel.
    private func newInfo() async throws -> FollowingFile? {
        guard hasSite else { return nil }
        // In this order, a directory has one of the two in memory at a time.
        let (current, manifest) = try await store.together {
            try await FollowingFile.current(OriginLayout.info, in: store)
        } _: { [manifest] _ in
            // Compared with its hash: these bytes become `info.json`.
            try await store.read(manifest)
        }
        let upload = Upload(
            OriginLayout.info, .bytes(manifest), self.manifest.content, stagedName: "info.json.new")
        return FollowingFile.make(upload, instead: current)
    }

    /// Compared only, which is cheaper than to read it where the store says enough.
    func isInfoBehind() async throws -> Bool {
        guard hasSite else { return false }
        return try await !store.holds(manifest.content, at: OriginLayout.info)
    }

    @Sendable func sitePlan() async throws -> SitePlan {
        guard hasSite else { return SitePlan(new: [], replaced: [], unchanged: []) }
        return try await SitePlan.make(release, launch: launch, store, jobs: jobs)
    }

    /// Whether something still shows another release.
    func isBehind(_ plan: SitePlan) async throws -> Bool {
        if try await isInfoBehind() || !plan.new.isEmpty || !plan.replaced.isEmpty { return true }
        return try await feeds?.isBehind() ?? false
    }

    /// Does the parts that are likely to fail, before the commit point.
    ///
    /// - Parameter isProved: whether this run has read all objects of the release already.
    /// - Throws: ``Failure/publishNotWritable(path:)``; ``Failure/publishDamagedObject(path:problem:)`` for an object that is
    ///   to be copied to `site/`.
    func prepare(in staging: Staging, isProved: Bool = false) async throws -> Prepared {
        var (info, plan) = try await store.together(newInfo) { _ in try await sitePlan() }
        try await checkPaths(of: plan, isInfoBehind: info != nil)
        if !isProved { try await prove(plan.copies) }
        info = try await info?.staged(in: staging, of: store)
        try await store.stage(plan.copies, in: staging)
        return Prepared(
            info: info, site: plan, feeds: try await feeds?.prepare(in: staging) ?? .init(),
            staging: staging)
    }

    /// Refuses places that this user may not write to.
    ///
    /// - Throws: ``Failure/publishNotWritable(path:)``.
    func checkPaths(of plan: SitePlan, isInfoBehind: Bool = true) async throws {
        if isInfoBehind, try await !store.isWritable("") {
            throw Failure.publishNotWritable(path: store.address)
        }
        guard let folder = try await store.unwritableFolder(of: plan.copies) else { return }
        throw Failure.publishNotWritable(path: store.display(folder))
    }

    /// Proves objects that are about to replace what `site/` has.
    func prove(_ copies: [SiteCopy]) async throws {
        let objects = copies.map { ObjectReference(objectOf: $0.asset) }
        for (object, state) in zip(
            objects, try await store.check(objects, jobs: jobs, counter: nil))
        where try !state.isWhole() {
            let path = store.display(object.path)
            if case .missing = state { throw Failure.originMissing(path: path) }
            throw Failure.publishDamagedObject(
                path: path, problem: ReleaseUploader.damagedObject)
        }
    }

    /// Updates what follows the pointer.
    ///
    /// Stops when another pointer is live: a slow publisher must not write an older release over a newer one.
    ///
    /// - Parameters:
    ///   - isKnownLive: Whether the pointer was live after `prepared` was read.
    ///   - isLive: Whether the release's pointer is still live.
    func follow(
        _ prepared: Prepared, isKnownLive: Bool = false,
        while isLive: @Sendable () async throws -> Bool
    ) async throws {
        // Neither refers to the other.
        _ = try await store.together {
            guard let info = prepared.info else { return }
            try await info.replace(in: store, isKnownLive: isKnownLive, while: isLive)
        } _: { isAfterInfo in
            // Another publish can commit while `info.json` is replaced.
            let isStillLive = isKnownLive && (prepared.info == nil || !isAfterInfo)
            try await copy(prepared, isStillLive, while: isLive)
        }
        // After `site/`, which one of them leads to.
        try await feeds?.follow(prepared.feeds, while: isLive)
    }

    private func copy(
        _ prepared: Prepared, _ isKnownLive: Bool, while isLive: () async throws -> Bool
    ) async throws {
        var isKnownLive = isKnownLive
        try await store.copy(prepared.site.copies, from: prepared.staging) {
            defer { isKnownLive = false }
            return if isKnownLive { true } else { try await isLive() }
        }
    }

    /// The places that still show another release, as far as they can be read.
    func placesBehind() async -> [String] {
        var paths: [String] = []
        if (try? await isInfoBehind()) ?? true { paths.append(OriginLayout.info) }
        guard let plan = try? await sitePlan() else { return paths + ["\(OriginLayout.site)/"] }
        let behind = plan.copies.map(\.path)
        paths += behind.prefix(Self.placesShown)
        if behind.count > Self.placesShown {
            paths.append("\(behind.count - Self.placesShown) more below \(OriginLayout.site)/")
        }
        return paths + ((try? await feeds?.pathsBehind()) ?? [])
    }

    private static let placesShown = 10
}
