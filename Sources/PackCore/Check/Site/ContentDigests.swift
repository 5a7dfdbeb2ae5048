package import PackGround

/// The SHA-256 digests of a build's files, computed on first use.
///
/// Few files share their name or size with another, so few need to be read for this.
final class ContentDigests: Sendable {
    /// Larger files are not hashed: a sparse file can have terabytes without using the disk.
    static let limit: UInt64 = 4 << 30

    private let known = Locked<[Int: Digest]>([:])

    /// The digest of a file; `nil` above the limit.
    func digest(of file: Int, in site: SiteIndex) throws(Failure) -> Digest? {
        if let digest = site.knownDigest(of: file) { return digest }
        guard site.files[file].size <= Self.limit else { return nil }
        if let digest = known.withLock({ $0[file] }) { return digest }
        let digest = try site.source.digest(of: site.files[file].path)
        known.withLock { $0[file] = digest }
        return digest
    }
}

extension SiteIndex {
    /// The SHA-256 of a file; `nil` if it is too large to hash.
    package func digest(of file: Int) throws(Failure) -> Digest? {
        try contentDigests.digest(of: file, in: self)
    }
}
