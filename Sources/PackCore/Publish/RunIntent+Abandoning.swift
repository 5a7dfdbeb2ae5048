import PackGround
package import PackOrigin
import PackRelease

extension RunIntent {
    /// Removes the intents of all runs that have not removed them: of publishers and of prunes.
    ///
    /// Whoever calls it vouches that none of them is at work any more: while an intent is there, a prune keeps away from
    /// a publish, and a publish from a prune.
    ///
    /// - Returns: how many there were.
    /// - Throws: ``Failure`` where the store's lock is held; ``Failure``; an error of the store.
    package static func abandon(at store: any WritableStore) async throws -> Int {
        guard try await OriginHistory(store, policy: .recordedInLog).isOrigin() else {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        return try await store.alone {
            let paths = try await store.names(in: OriginLayout.intents)
                .map { "\(OriginLayout.intents)/\($0)" }
            try await store.remove(paths)
            return paths.count
        }
    }
}
