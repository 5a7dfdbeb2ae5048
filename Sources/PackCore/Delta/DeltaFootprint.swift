package import PackGround

/// The memory for applying a delta besides decoding its streams, from numbers known to both sides.
package enum DeltaFootprint {
    /// The buffers, the inflater, and the archive structure of a small delta.
    private static let fixed = 2 << 20
    /// The bytes for a file or directory of either tree in the lists of a scan and of files to copy
    /// or write.
    ///
    /// Covers its path, hash and size.
    private static let name = 320
    /// The number of copies of a path's bytes in memory.
    private static let copiesOfPath = 4
    /// The number of copies of `delta.json` in memory, including the paths read from it.
    private static let copiesOfManifest = 4

    /// The memory that applying needs, in bytes.
    ///
    /// - Parameters:
    ///   - size: The bytes of `delta.json`.  - old, new: The paths of both trees, sorted.
    package static func ofApplying(
        _ manifest: DeltaManifest, size: Int, old: some Sequence<AssetPath>,
        new: some Sequence<AssetPath>
    ) -> Int {
        // A manifest has at most 64 MiB, a tree at most 200,000 files.
        manifest.largestStream.addingClamped(
            fixed + size * copiesOfManifest + ofTree(old) + ofTree(new))
    }

    /// The largest manifest size readable with `memory` bytes.
    package static func mostOfManifest(memory: Int, atMost limit: Int) -> Int {
        min(limit, memory / copiesOfManifest)
    }

    /// The memory of the lists of a tree's files; the paths must be sorted.
    package static func ofTree(_ paths: some Sequence<AssetPath>) -> Int {
        var total = 0
        var before: [UInt8] = []
        for path in paths {
            total += name + copiesOfPath * path.bytes.count
            // A directory is counted with its first path; paths of one directory are adjacent.
            var shared = 0
            while shared < min(before.count, path.bytes.count),
                before[shared] == path.bytes[shared]
            {
                shared += 1
            }
            for end in shared..<path.bytes.count where path.bytes[end] == UInt8(ascii: "/") {
                total += name + copiesOfPath * end
            }
            before = path.bytes
        }
        return total
    }
}
