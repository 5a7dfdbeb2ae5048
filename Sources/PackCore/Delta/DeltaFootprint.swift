/// What applying a delta takes beside decoding its streams, from numbers that both sides know.
enum DeltaFootprint {
    /// Buffers, the inflater, the archive's structure of a small delta.
    private static let fixed = 2 << 20
    /// A file or directory of the old tree or of the new one: its path, hash and size, in the lists of a scan
    /// and of what is copied or made.
    private static let name = 320
    /// How often the bytes of a path are in memory.
    private static let copiesOfPath = 4
    /// How often those of `delta.json` are, with the paths that are read from it.
    private static let copiesOfManifest = 4

    /// The most bytes of memory that applying takes.
    ///
    /// - Parameters:
    ///   - size: the bytes of `delta.json`.
    ///   - old, new: the paths of both trees, sorted.
    static func ofApplying(
        _ manifest: DeltaManifest, size: Int, old: some Sequence<AssetPath>,
        new: some Sequence<AssetPath>
    ) -> Int {
        // A manifest has no more than 64 MiB, and a tree no more than 200,000 files.
        manifest.largestStream.addingClamped(
            fixed + size * copiesOfManifest + ofTree(old) + ofTree(new))
    }

    /// How many bytes a manifest may have so that reading it takes no more than `memory`.
    static func mostOfManifest(memory: Int, atMost limit: Int) -> Int {
        min(limit, memory / copiesOfManifest)
    }

    /// What the lists of a tree's files take; its paths come sorted.
    static func ofTree(_ paths: some Sequence<AssetPath>) -> Int {
        var total = 0
        var before: [UInt8] = []
        for path in paths {
            total += name + copiesOfPath * path.bytes.count
            // A directory is counted with the first path in it: what lies in it is sorted side by side.
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
