import PackGround
import PackOrigin

extension WritableStore {
    /// A file that another run may have left, as ``OrphanedPackage`` and ``OrphanedDelta`` look at it.
    ///
    /// - Parameter limit: the most bytes that are read; asked only if something is there.
    /// - Returns: no content for a file with more bytes; `nil` where nothing is.
    func left(
        at path: String, limit: () async throws -> UInt64
    ) async throws -> (revision: Revision, content: FileDigest?)? {
        guard try await status(of: path) != nil, let revision = try await revision(of: path)
        else { return nil }
        // Read after the revision: what is replaced in between is not replaced again.
        return (revision, try await digest(path, limit: limit()))
    }
}
