import PackOrigin
import PackRelease

/// What follows a commit: `info.json` and `site/`.
extension Publisher {
    /// The follower to what a pointer offers to every device: the request's release, or one that the pointer before
    /// offered.
    ///
    /// - Parameter file: the manifest of the request's release, at the origin.
    func follower(
        _ pointer: Pointer, _ manifest: Manifest, in file: ObjectReference, _ state: PublishState
    ) async throws -> SiteFollower? {
        guard let entry = pointer.unconditional else { return nil }
        if entry.packageHash == release.packageHash {
            return steps.follower(to: manifest, in: file)
        }
        guard let current = state.current else { return nil }
        return try await steps.follower(of: current)
    }
}
