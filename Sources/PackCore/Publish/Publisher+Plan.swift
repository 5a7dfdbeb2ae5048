import PackArchive
import PackGround
package import PackOrigin
import PackRelease

extension Publisher {
    /// What a publish to the request's origin would do: the publish itself, on an ``OverlayStore``.
    ///
    /// Nothing is written to the origin, which may be missing; what the publish makes is in the temporary directory.
    ///
    /// - Throws: The errors of ``publish(_:)`` before it writes.
    package static func plan(_ request: PublishRequest) async throws -> PublishReport {
        try checkPaths(origin: request.origin, build: request.scan.directory.path)
        // Before the origin is opened.
        try checkManifest(request)
        if let store = try StoreOpener.writeIfPresent(request.origin) {
            return try await plan(request, to: request.store(store))
        }
        if request.requiresOrigin { throw Failure.publishNoOrigin(origin: request.origin) }
        // The publish would make the directory, and find nothing in it.
        let parent = try Directory.nearest(to: request.origin)
        try parent?.checkWritable()
        let free = try parent?.freeBytes()
        return try await Staging.temporary(below: request.temporaryDirectory) {
            let empty = DirectoryStore(try $0.reopened(shownAs: request.origin))
            return try await plan(request, to: empty, free: free)
        }
    }

    /// What a publish to a store would do.
    ///
    /// - Parameter free: The free bytes, if they are not those of the store.
    package static func plan(
        _ request: PublishRequest, to store: any WritableStore, free: UInt64? = nil
    ) async throws -> PublishReport {
        try checkManifest(request)
        let trusting = try await request.trusting(store, isPlan: true)
        let overlay = OverlayStore(over: store, scratch: request.temporaryDirectory, free: free)
        var report = try await Publisher(trusting, overlay).publish()
        // Nobody may sign what no run proposed.
        report.proposal = nil
        return report
    }
}
