extension Publisher {
    /// Refuses an implausible time before anything is written.
    ///
    /// A pointer that is older than the previous one, or that has expired when clients see it,
    /// means that a clock is wrong.
    static func checkTime(
        _ request: PublishRequest, after current: Pointer?
    ) throws(PublishError) {
        if let current, request.now < current.createdAt {
            throw .clockBehind(
                now: request.now.description, createdAt: current.createdAt.description)
        }
        guard let expires = request.expires else { return }
        let clock = max(request.now, request.clock)
        guard expires > clock else {
            throw .expiredAtOnce(expires: expires.description, clock: clock.description)
        }
    }

    func checkTime(after current: Pointer?) throws(PublishError) {
        try Self.checkTime(request, after: current)
    }

    func checkSpace(_ objects: ObjectPlan, _ state: PublishState) async throws {
        var needed = objects.missing.clampedSum { $0.asset.size }.addingClamped(4 << 20)
        if state.manifest == nil { needed = needed.addingClamped(release.totalBytes) }
        // The package is counted as if nothing shrank; only a clear lack ends it here.
        guard let free = try await store.freeBytes(), free < needed / 2 else { return }
        throw PublishError.noSpace(origin: store.address, needed: needed, free: free)
    }
}
