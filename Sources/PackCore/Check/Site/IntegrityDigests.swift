import PackGround

/// Hashes of a build's files for `integrity`, each computed once, regardless of the number of pages
/// naming the file.
final class IntegrityDigests: Sendable {
    private struct Key: Hashable {
        let file: Int
        let algorithm: SubresourceIntegrity.Algorithm
    }

    private let known = Locked<[Key: [UInt8]]>([:])

    /// The hash of a file; `nil` if it cannot be read.
    ///
    /// No lock is held while hashing, so two tasks may compute the same hash.
    func digest(
        of file: Int, _ algorithm: SubresourceIntegrity.Algorithm, in site: SiteIndex
    ) -> [UInt8]? {
        if algorithm == .sha256, let digest = site.knownDigest(of: file) { return digest.bytes }
        let key = Key(file: file, algorithm: algorithm)
        if let digest = known.withLock({ $0[key] }) { return digest }
        guard let content = try? site.content(of: file) else { return nil }
        let digest = algorithm.digest(of: content)
        known.withLock { $0[key] = digest }
        return digest
    }
}

extension SiteIndex {
    /// The hash of a file by an algorithm of `integrity`; `nil` if it cannot be read.
    func integrityDigest(
        of file: Int, _ algorithm: SubresourceIntegrity.Algorithm
    ) -> [UInt8]? {
        integrityDigests.digest(of: file, algorithm, in: self)
    }
}
