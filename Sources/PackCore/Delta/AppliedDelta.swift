package import PackDelta
package import PackGround
package import PackRelease

/// The result of applying a delta, besides the tree.
package struct AppliedDelta: Sendable {
    package let manifest: DeltaManifest
    /// The new release, computed from its files on disk.
    package let release: Release
    /// The work done; files sent whole count as unpacked, copied files not at all.
    package let work: DeltaWork
    /// The verified edition of each file in listing order, if the files are linked.
    package let editions: [FileStatus.Edition]

    /// Writes the new release's `info.json` as a new file.
    ///
    /// - Parameters:
    ///   - delta: The delta's name, for messages.
    ///   - limit: The largest size in bytes.
    /// - Throws: ``Failure/deltaNoInfo(delta:)`` if the delta has none, or one that is larger;
    ///   ``Failure``.
    package func writeInfo(
        _ name: String, in directory: Directory, delta: String,
        limit: UInt64 = UInt64(Manifest.sizeLimit)
    ) throws {
        guard let info, info.digest(of: release, limit: limit) != nil else {
            throw Failure.deltaNoInfo(delta: delta)
        }
        let file = try directory.createFile(name)
        try info.write(release) { try file.write($0) }
        try file.close()
    }

    /// The template; `nil` if it names a page that the release does not have.
    private var info: ManifestTemplate? {
        guard let info = manifest.info else { return nil }
        guard let launch = info.launch else { return info }
        return release.assets.index(of: launch) == nil ? nil : info
    }
}

extension ManifestTemplate {
    /// Hash and size of a release's manifest; `nil` if it has more than `limit` bytes.
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
