import PackArchive
import PackGround
package import PackOrigin

extension Publisher {
    /// What a publish to the request's origin would do: the publish itself, on an ``OverlayStore``.
    ///
    /// Nothing is written to the origin, which may be missing; what the publish makes is in the temporary directory.
    ///
    /// - Throws: The errors of ``publish(_:)`` before it writes.
    package static func plan(_ request: PublishRequest) async throws -> PublishReport {
        try checkPlaces(request)
        // Before the origin is opened.
        _ = try checkedManifest(request)
        if let store = try StoreOpener.writeIfPresent(request.origin) {
            return try await plan(request, to: store)
        }
        if request.requiresOrigin { throw PublishError.noOrigin(origin: request.origin) }
        // The publish would make the directory, and find nothing in it.
        let parent = try Directory.nearest(to: request.origin)
        try parent?.checkWritable()
        return try await plan(
            request,
            to: MemoryStore(
                address: request.origin, scratch: request.temporaryDirectory,
                free: parent?.freeBytes()))
    }

    /// What a publish to a store would do.
    package static func plan(
        _ request: PublishRequest, to store: any WritableStore
    ) async throws -> PublishReport {
        _ = try checkedManifest(request)
        let trusting = try await request.trusting(store, isPlan: true)
        let overlay = OverlayStore(over: store, scratch: request.temporaryDirectory)
        var report = try await Publisher(trusting, overlay).publish()
        // Nobody may sign what no run proposed.
        report.proposal = nil
        return report
    }
}
