extension Pin {
    /// Records the pin at the origin in a directory.
    ///
    /// - Throws: ``OriginError/notAnOrigin(path:)``, ``PublishError/busy(origin:)``; an error of the store.
    package func record(at origin: String) async throws {
        guard let store = try StoreOpener.writeIfPresent(origin) else {
            throw OriginError.notAnOrigin(path: origin)
        }
        try await record(at: store)
    }

    /// Records that apps contain a release, in place of an earlier pin of it.
    ///
    /// - Throws: ``PublishError/busy(origin:)``; an error of the store.
    package func record(at store: any WritableStore) async throws {
        var upload = Upload(place, encode())
        // Nothing refers to a pin; it is what names the release.
        upload.conflict = .replace
        let pin = upload
        let done: Bool? = try await store.exclusively(isNew: false) {
            _ = try await store.create([pin])
            return true
        }
        guard done != nil else { throw PublishError.busy(origin: store.address) }
    }
}
