import PackArchive
import PackGround
import PackOrigin
import PackRelease
import PackZip

/// A package that another run of the same release uploaded before the release has a manifest: an interrupted run, or one
/// that is at work.
///
/// In a store without a lock nobody knows which of both. So it is used while it is whole: the other run may be about to
/// name it, and a package with other bytes in its place would break that release.
enum OrphanedPackage: Sendable {
    case none
    /// It has the content of the release, in the form that packtool writes.
    case whole(FileDigest)
    /// No run names it, because each reads its package back first.
    case unusable(Revision)

    /// Looks at the place of the release's package.
    ///
    /// - Throws: an error of the store; ``Failure``.
    static func look(
        for release: Release, in store: any WritableStore, jobs: Int
    ) async throws -> OrphanedPackage {
        let path = OriginLayout.package(release.version)
        guard let left = try await store.left(at: path, limit: { sizeLimit(release) })
        else { return .none }
        let revision = left.revision
        guard let content = left.content else { return .unusable(revision) }
        do {
            return try await store.withFiles([ObjectReference(path, content)]) { directory in
                guard try ReuseArchive.isOurForm(path, in: directory) else {
                    return .unusable(revision)
                }
                try await PackageReader(path, in: directory, expecting: release)
                    .prove(reused: [], jobs: jobs, progress: nil)
                return .whole(content)
            }
        } catch {
            // A failure of the origin: it is being replaced, or is gone.
            guard error.isFailure(of: "archive", "origin") else { throw error }
            return .unusable(revision)
        }
    }

    /// A note for the report.
    static func noteOfUse(_ shown: String) -> String {
        "'\(shown)' is there already, from an interrupted publish or one that is running, and is used"
    }

    /// No package in our form is larger, in bytes: no entry is larger than its content.
    private static func sizeLimit(_ release: Release) -> UInt64 {
        release.assets.clampedSum { asset in
            asset.size.addingClamped(UInt64(headers + 2 * asset.path.bytes.count))
        }.addingClamped(UInt64(headers))
    }

    /// Headers of one file, or the end of a directory, in bytes.
    private static let headers = 256
}
