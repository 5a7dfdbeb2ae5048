import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension Publisher {
    /// Refuses an implausible time before anything is written.
    ///
    /// A pointer that is older than the previous one, or that has expired when clients see it,
    /// means that a clock is wrong.
    static func checkTime(
        _ request: PublishRequest, after current: Pointer?
    ) throws(Failure) {
        try checkTime(
            now: request.now, clock: request.clock, expires: request.expires, after: current,
            root: request.root)
    }

    static func checkTime(
        now: Timestamp, clock: Timestamp, expires: Timestamp?, after current: Pointer?,
        root: TrustRoot? = nil
    ) throws(Failure) {
        if let current, now < current.createdAt {
            throw .publishClockBehind(
                now: now.description, createdAt: current.createdAt.description)
        }
        guard let expires else { return }
        let clock = max(now, clock)
        guard expires > clock else {
            throw .publishExpiredAtOnce(expires: expires.description, clock: clock.description)
        }
        guard let root, expires <= root.createdAt else { return }
        throw .publishExpiredUnderRoot(
            expires: expires.description, createdAt: root.createdAt.description,
            root: root.version)
    }

    func checkTime(after current: Pointer?) throws(Failure) {
        try Self.checkTime(request, after: current)
    }

    /// Refuses conditions that would not do what they seem to.
    func checkConditions(after current: Pointer?) throws {
        let conditions = request.conditions
        if let current, current.isClosed {
            guard conditions.reopens else {
                throw Failure.channelClosed(
                    channel: request.channel.description, at: current.createdAt.description)
            }
        } else if let current, !current.isEnabled, !conditions.resumes, !request.staysPaused {
            throw Failure.publishPaused(channel: request.channel.description)
        }
        let known = current?.entries.first { $0.packageHash == release.packageHash }
        if let share = conditions.rollout, let known, share < known.rollout {
            throw Failure.publishWouldShrink(
                version: release.version.description, share: known.rollout, to: share)
        }
        let before = (known ?? current?.entry)?.native ?? NativeRanges()
        try Self.checkRanges(conditions.native(after: before))
    }

    static func checkRanges(_ native: NativeRanges) throws(Failure) {
        for platform in AppPlatform.allCases {
            let range = native[platform]
            guard range.isEmpty, let lowest = range.lowest, let highest = range.highest else {
                continue
            }
            throw .publishNoNativeVersion(
                lowest: lowest.description, highest: highest.description,
                platform: native.ios == native.android ? nil : platform.name)
        }
    }

    func checkSpace(_ objects: ObjectPlan, _ state: PublishState) async throws {
        var needed = objects.missing.clampedSum { $0.asset.size }.addingClamped(4 << 20)
        if state.manifest == nil { needed = needed.addingClamped(release.totalBytes) }
        // The package is counted as if nothing shrank; only a clear lack ends it here.
        guard let free = try await store.freeBytes(), free < needed / 2 else { return }
        throw Failure.publishNoSpace(origin: store.address, needed: needed, free: free)
    }
}
