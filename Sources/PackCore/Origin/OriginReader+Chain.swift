import PackRelease

extension OriginReader {
    /// Calls `body` with a pointer and those that were live before it, the newest first, until it returns `true`.
    ///
    /// Each names the one that it replaced, so this needs no listing and asks for nothing that no pointer names.
    ///
    /// - Parameter limit: how many pointers `body` gets at most, the first included.
    /// - Throws: ``OriginError`` for an entry that is missing or damaged; an error of the store.
    package func forEachBefore(
        _ first: Published, limit: Int, _ body: (Published) async throws -> Bool
    ) async throws {
        var published = first
        for count in stride(from: 1, through: limit, by: 1) {
            if try await body(published) { return }
            let pointer = published.pointer
            // A chain only goes down, so a forged one ends.
            guard count < limit, let previous = pointer.previous, previous < pointer.sequence else {
                return
            }
            published = try await logEntry(pointer.channel, previous)
        }
    }

    /// The newest offer of a release that was live on a pointer's channel.
    ///
    /// - Parameter name: a version or label.
    /// - Throws: ``OriginError/noSuchRelease(version:origin:)``, also if it was live before the last 1,000 pointers.
    package func offer(named name: String, upTo current: Published) async throws -> Published {
        var found: Published?
        try await forEachBefore(current, limit: 1000) { published in
            found = published.offers.first {
                name == $0.pointer.label || name == $0.pointer.version.description
            }
            return found != nil
        }
        guard let found else {
            throw OriginError.noSuchRelease(version: name, origin: store.address)
        }
        return found
    }
}
