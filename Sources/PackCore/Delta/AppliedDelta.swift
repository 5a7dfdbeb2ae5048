package import PackGround
package import PackRelease

/// What applying a delta gave, besides the tree.
package struct AppliedDelta: Sendable {
    package let manifest: DeltaManifest
    /// The new release, by the hashes of its files on the disk.
    package let release: Release

    /// Hash and size of the new release's `info.json`.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Returns: `nil` if the delta has none, or one that is larger or that no release can have.
    package func infoDigest(limit: UInt64) -> FileDigest? {
        info?.digest(of: release, limit: limit)
    }

    /// Writes the new release's `info.json` as a new file.
    ///
    /// - Parameters:
    ///   - delta: The delta as a person would name it.
    ///   - limit: The most bytes that it may have.
    /// - Throws: ``DeltaError/noInfo(delta:)`` if the delta has none, or one that is larger;
    ///   ``FileSystemError``.
    package func writeInfo(
        _ name: String, in directory: Directory, delta: String,
        limit: UInt64 = UInt64(Manifest.sizeLimit)
    ) throws {
        guard let info, info.digest(of: release, limit: limit) != nil else {
            throw DeltaError.noInfo(delta: delta)
        }
        let file = try directory.createFile(name)
        try info.write(release) { try file.write($0) }
        try file.close()
    }

    /// The template, unless it names a page that the release does not have.
    private var info: ManifestTemplate? {
        guard let info = manifest.info else { return nil }
        guard let launch = info.launch else { return info }
        return release.assets.index(of: launch) == nil ? nil : info
    }
}

extension ManifestTemplate {
    /// Hash and size of the manifest of a release; `nil` if it has more bytes than `limit`.
    ///
    /// It is never in memory as a whole: a long base URL and many files could make it as large as
    /// the disk.
    package func digest(of release: Release, limit: UInt64) -> FileDigest? {
        var hasher = StreamHasher()
        var size: UInt64 = 0
        do {
            try write(release) { piece in
                size += UInt64(piece.count)
                guard size <= limit else { throw TooLong() }
                hasher.update(piece)
            }
        } catch {
            return nil
        }
        return FileDigest(sha256: hasher.finish(), size: size)
    }

    private struct TooLong: Error {}
}
