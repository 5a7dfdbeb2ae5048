import PackGround

/// Opens the store of an origin in a directory, by its path.
///
/// Buckets and web servers need a transport, credentials and settings: `PackTool` opens these
/// stores (`Bucket`, `OriginOpener`) and passes them on.
package enum StoreOpener {
    /// Opens an existing origin for a client, which knows its keys.
    package static func read(_ address: String) throws -> any OriginStore {
        try DirectoryStore.open(address)
    }

    /// Opens an existing origin with listings.
    package static func list(_ address: String) throws -> any ListingStore {
        try DirectoryStore.open(address)
    }

    /// Opens an origin as a publish does, without creating it; `nil` if it does not exist.
    package static func writeIfPresent(_ address: String) throws -> (any WritableStore)? {
        try DirectoryStore.openIfPresent(address)
    }

    /// Opens an existing origin to change it.
    ///
    /// - Throws: ``Failure/originNotAnOrigin(path:)``; an error of the store.
    package static func writeExisting(_ address: String) throws -> any WritableStore {
        guard let store = try writeIfPresent(address) else {
            throw Failure.originNotAnOrigin(path: address)
        }
        return store
    }

    /// Opens an origin to publish to it, creating it if needed.
    ///
    /// If `body` fails, removes the created directories.
    package static func write<Result>(
        _ address: String, _ body: (any WritableStore) async throws -> Result
    ) async throws -> Result {
        try await DirectoryStore.withOpenOrCreated(address, body)
    }
}
