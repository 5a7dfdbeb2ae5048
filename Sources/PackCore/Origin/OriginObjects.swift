extension OriginStore {
    /// Hands out the objects of a release as files of this machine, for a delta to be made from.
    package func withObjects<Result>(
        of release: Release, _ body: (AssetSource) async throws -> Result
    ) async throws -> Result {
        let objects = release.assets.map(PlacedContent.init(objectOf:))
        return try await withFiles(objects) { directory in
            try await body(AssetSource(release, directory, OriginLayout.objectPlace))
        }
    }
}
