import PackGround
import PackRelease

extension OriginReader {
    /// Calls `body` with a pointer and its predecessors, newest first, until it returns `true`.
    ///
    /// Each pointer has the sequence of its predecessor, so this lists nothing and requests no
    /// unreferenced keys.
    ///
    /// - Parameter limit: The maximum number of pointers, including the first.
    /// - Throws: ``Failure`` for a missing or damaged entry; an error of the store.
    package func forEachBefore(
        _ first: Published, limit: Int, _ body: (Published) async throws -> Bool
    ) async throws {
        var published = first
        for count in stride(from: 1, through: limit, by: 1) {
            if try await body(published) { return }
            let pointer = published.pointer
            // Sequences must decrease, so forged chains also end.
            guard count < limit, let previous = pointer.previous, previous < pointer.sequence else {
                return
            }
            published = try await logEntry(pointer.channel, previous)
        }
    }

    /// The newest offer of a release in a pointer's chain.
    ///
    /// - Parameter name: A version or label.
    /// - Throws: ``Failure/originNoSuchRelease(version:origin:)``, also for releases older than the
    ///   last 1,000 pointers.
    package func offer(named name: String, upTo current: Published) async throws -> Published {
        var found: Published?
        try await forEachBefore(current, limit: 1000) { published in
            found = published.offers.first {
                name == $0.pointer.label || name == $0.pointer.version.description
            }
            return found != nil
        }
        guard let found else {
            throw Failure.originNoSuchRelease(version: name, origin: store.address)
        }
        return found
    }
}
