package import PackGround

/// A store that can compare files without reading them, because it reports their hashes.
///
/// A publish therefore compares all its objects before it uses them, and replaces damaged ones.
/// Without such hashes every object would be read twice: there, the publish fails when it reads a
/// damaged object back.
package protocol HashingStore: Sendable {
    /// Marks keys as unverified: later checks read these files instead of trusting a listing.
    func markUnverified(_ paths: [String])

    /// Whether ``learn(_:md5:)`` lets checks rely on the hashes.
    var learnsContents: Bool { get }

    /// Hashes local files with the same content as stored files, for later comparisons.
    func learn(_ files: [Upload], jobs: Int) async throws

    /// Records the MD5 of a content. Files reported with this MD5 then need no read.
    func learn(_ content: FileDigest, md5: String)
}
