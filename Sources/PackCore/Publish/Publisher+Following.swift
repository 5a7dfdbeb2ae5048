/// What follows a commit: `info.json` and `site/`.
extension Publisher {
    /// The follower to what a pointer offers to every device: the request's release, or one that the pointer before
    /// offered.
    ///
    /// - Parameter place: where the manifest of the request's release is.
    func follower(
        _ pointer: Pointer, _ manifest: Manifest, at place: String, _ state: PublishState
    ) async throws -> SiteFollower? {
        guard let entry = pointer.unconditional else { return nil }
        if entry.packageHash == release.packageHash {
            return steps.follower(to: manifest, at: place)
        }
        guard let current = state.current else { return nil }
        return try await steps.follower(of: current)
    }

    func prepareFollowers(
        _ follower: SiteFollower?, _ staging: Staging, _ report: inout PublishReport
    ) async throws -> ChannelUpdate.Following? {
        guard let following = try await steps.prepare(follower, in: staging) else { return nil }
        report.count(following.prepared.site)
        return following
    }
}
