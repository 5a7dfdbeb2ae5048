package import PackGround
package import PackRelease

extension OriginStore {
    /// Passes `body` a local directory in which a release's objects can be opened by key.
    package func withObjects<Result>(
        of release: Release, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await withFiles(release.assets.map(ObjectReference.init(objectOf:)), body)
    }
}
