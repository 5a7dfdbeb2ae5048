package import PackGround
package import PackRelease

/// The log entries of a channel, one after the other, read ahead of being asked for where each costs a request.
package typealias LogReading = OrderedPrefetch<Int, OriginReader.Published>

extension OriginHistory {
    /// How many entries are read at once from a distant store.
    private static let entriesAtOnce = 32

    /// How many manifests are read at once from a distant store: each may be large.
    private static let manifestsAtOnce = 8

    /// Reads entries of a channel's log.
    ///
    /// - Parameter sequences: in the order in which they are read.
    package func reading(_ channel: Channel, _ sequences: [Int]) -> LogReading {
        let reader = reader
        return store.reading(sequences, mostAtOnce: Self.entriesAtOnce) {
            try await reader.logEntry(channel, $0)
        }
    }

    /// Reads the manifests that some pointers bind.
    package func manifests(
        of published: [OriginReader.Published]
    ) -> OrderedPrefetch<OriginReader.Published, Manifest> {
        let reader = reader
        return store.reading(published, mostAtOnce: Self.manifestsAtOnce) {
            try await reader.manifest(of: $0)
        }
    }
}

extension OriginStore {
    /// Reads some keys in their order: ahead of being asked for where each costs a request, and otherwise not.
    package func reading<Key: Sendable, Value: Sendable>(
        _ keys: [Key], mostAtOnce: Int, _ read: @escaping @Sendable (Key) async throws -> Value
    ) -> OrderedPrefetch<Key, Value> {
        OrderedPrefetch(keys, mostAtOnce: min(mostAtOnce, readsAtOnce), read: read)
    }
}

extension LogReading.Outcome {
    /// The entry; `nil` for one that is damaged or cannot be read.
    ///
    /// - Throws: what says nothing about the entry.
    package func recorded() throws -> OriginReader.Published? {
        switch self {
        case .success(let entry): return entry
        case .failure(let error):
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }
}
