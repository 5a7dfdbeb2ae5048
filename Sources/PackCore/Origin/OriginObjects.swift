package import PackGround
package import PackRelease

extension OriginStore {
    /// Passes `body` a local directory in which a release's objects can be opened by key.
    package func withObjects<Result>(
        of release: Release, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        // Without a list of all of them, which takes 370 bytes for each.
        if let localFiles { return try await body(localFiles) }
        return try await withFiles(release.assets.map(ObjectReference.init(objectOf:)), body)
    }
}
