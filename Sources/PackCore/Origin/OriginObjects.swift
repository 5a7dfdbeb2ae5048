package import PackGround
package import PackRelease

extension OriginStore {
    /// Hands out a directory of this machine in which the objects of a release can be opened at their places.
    package func withObjects<Result>(
        of release: Release, _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        try await withFiles(release.assets.map(ObjectReference.init(objectOf:)), body)
    }
}
