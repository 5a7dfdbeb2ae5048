import PackDeltaFile
package import PackGround
package import PackRelease

/// The sources of a new release's files in an old release.
package struct DeltaPlan: Sendable {
    /// A file produced by a stream.
    package struct Coded: Sendable {
        package let asset: Asset
        /// The index of the old asset that it is aligned with.
        package let base: Int?
        /// The most similar deleted assets, by index, with the number of shared samples.
        package var relatives: [Int: Int] = [:]
        /// The hash of each piece of a file that several streams produce.
        package var pieces: [Digest] = []
        /// Whether its bytes are already compressed, so that only old content can be saved.
        package var isCompressed = false
        /// The approximate number of its bytes that resemble nothing old.
        package var novelBytes = 0
        /// The approximate number of its bytes that the aligned coder codes one by one.
        ///
        /// Measured: 0.26 to 0.6 of the novel ones, because a renamed token makes 32 bytes novel.
        var expectedCoded: Int { isCompressed ? Int(clamping: asset.size) : novelBytes / 2 }
    }

    /// Reads an asset piece by piece; throws if it does not match its release.
    package typealias Read = (Asset, (RawSpan) -> Void) throws -> Void

    package let old: Release
    package let new: Release
    /// New paths with the content of another path in the old release.
    package var copies: [(new: Asset, old: Asset)] = []
    /// Files to send in full.
    package var added: [Asset] = []
    /// In the order of their paths.
    package var coded: [Coded] = []
    /// Old paths missing from the new release, except those that a stream renames.
    package var deleted: [AssetPath] = []
    /// The old asset, by index, continued by each changed file, if any; also for files sent in
    /// full.
    private(set) var bases: [(new: AssetPath, old: Int)] = []
    /// Old assets, by index, whose path or content is missing from the new release.
    var gone: [Int] = []
    /// Whether a stream's listing has the copies, instead of `delta.json`.
    ///
    /// They cost less there, and a file that mentions a name's hash then needs no bytes for its
    /// change.
    package private(set) var listsCopies = false

    /// Content of at least this size, in bytes, that does not shrink is sent in full.
    private static let incompressibleFrom = 2048
    /// From this number of copies on, a stream for the copies alone is smaller.
    private static let copiesForStream = 6
    /// The largest number of copies in a listing; more names would take too much memory in each
    /// stream.
    private static let mostListedCopies = 16_384

    /// Plans the delta from one release to another.
    ///
    /// Files are never in memory as a whole: each is read piece by piece, some of them twice.
    ///
    /// - Parameter shrinks: Whether content is worth coding beyond the parts shared with old files,
    ///   from a quick look at its bytes.
    package init(
        from old: Release, to new: Release, readOld: Read, readNew: Read,
        shrinks: (Asset) throws -> Bool
    ) throws {
        self.old = old
        self.new = new
        let differences = new.differences(from: old)
        gone = differences.compactMap(\.old)
        let removed = differences.compactMap { $0.new == nil ? $0.old : nil }
        let different = differences.compactMap { difference in
            difference.new.map { (asset: new.assets[$0], old: difference.old) }
        }
        let oldByContent = Self.first(of: Set(different.map(\.asset.sha256)), in: old)
        var renamed = Self.namesakes(old, removed)
        var changed: [(asset: Asset, old: Int?)] = []
        var copied: [Int] = []
        for (asset, same) in different {
            if let first = oldByContent[asset.sha256] {
                let twin = Namesake(content: asset.sha256, stem: NameStem.of(asset.path))
                let source = renamed[twin]?.popLast() ?? first
                copies.append((asset, old.assets[source]))
                copied.append(source)
            } else {
                changed.append((asset, same))
            }
        }
        try pair(changed, readOld: readOld, readNew: readNew, shrinks: shrinks)
        var continued = Set(coded.compactMap(\.base))
        listsCopies =
            copies.count >= (coded.isEmpty ? Self.copiesForStream : 1)
            && copies.count <= Self.mostListedCopies
        if listsCopies { continued.formUnion(copied) }
        deleted = removed.filter { !continued.contains($0) }.map { old.assets[$0].path }
    }

    /// The key that a file shares with its counterpart under a new hash.
    private struct Namesake: Hashable {
        let content: Digest
        let stem: [UInt8]
    }

    /// The old assets, by index, whose path is deleted.
    ///
    /// Many small files of a build can have one content; each is paired with the file of its own
    /// name.
    private static func namesakes(_ old: Release, _ removed: [Int]) -> [Namesake: [Int]] {
        var result: [Namesake: [Int]] = [:]
        for index in removed.reversed() {
            let asset = old.assets[index]
            let key = Namesake(content: asset.sha256, stem: NameStem.of(asset.path))
            result[key, default: []].append(index)
        }
        return result
    }

    /// The first asset of the old release, by index, of each content.
    private static func first(of contents: Set<Digest>, in old: Release) -> [Digest: Int] {
        var first: [Digest: Int] = [:]
        guard !contents.isEmpty else { return first }
        for (index, asset) in old.assets.enumerated()
        where contents.contains(asset.sha256) && first[asset.sha256] == nil {
            first[asset.sha256] = index
        }
        return first
    }

    /// Chooses the old file to align each changed file with.
    ///
    /// - Parameter changed: With the old asset of the same path, by index.
    private mutating func pair(
        _ changed: [(asset: Asset, old: Int?)],
        readOld: Read, readNew: Read, shrinks: (Asset) throws -> Bool
    ) throws {
        let old = old
        var samples = ContentSample(of: gone.clampedSum { old.assets[$0].size })
        for index in gone {
            var walk = samples.walk()
            try readOld(old.assets[index]) {
                samples.add($0, &walk, as: index)
            }
        }
        var byStem: [[UInt8]: [Int]] = [:]
        for index in gone { byStem[NameStem.of(old.assets[index].path), default: []].append(index) }
        for (asset, same) in changed {
            var hasher = PieceHasher(asset)
            var resemblance = ContentSample.Resemblance()
            var walk = samples.walk()
            try readNew(asset) { piece in
                hasher.update(piece)
                samples.compare(piece, &walk, &resemblance)
            }
            let stems = byStem[NameStem.of(asset.path)] ?? []
            let base =
                try same
                ?? best(resemblance, stems, asset) { index in
                    try Self.shared(samples, old.assets[index], asset, readOld, readNew)
                }
            if let base { bases.append((asset.path, base)) }
            // A large file with few changed bytes is aligned in a tenth of the fallback's time.
            let isHugeAndOld =
                base != nil && asset.size > UInt64(StreamGroup.outputLimit)
                && resemblance.isNearlyAll
            let isCompressed =
                try !isHugeAndOld && asset.size >= Self.incompressibleFrom && !shrinks(asset)
            if isCompressed, base == nil || !resemblance.isNotable(resemblance.shared),
                Self.canBeSentWhole(asset.path)
            {
                added.append(asset)
                continue
            }
            coded.append(
                Coded(
                    asset: asset, base: base, relatives: resemblance.relatives,
                    pieces: hasher.finish(), isCompressed: isCompressed,
                    novelBytes: resemblance.novelBytes(of: Int(asset.size))))
        }
    }

    /// The number of the new file's samples in the old one.
    private static func shared(
        _ samples: ContentSample, _ old: Asset, _ new: Asset, _ readOld: Read, _ readNew: Read
    ) throws -> Int {
        var known: Set<UInt64> = []
        var walk = samples.walk()
        try readOld(old) { piece in
            walk.forEach(in: piece) { known.insert($0) }
        }
        var shared = 0
        walk = samples.walk()
        try readNew(new) { piece in
            walk.forEach(in: piece) { shared += known.contains($0) ? 1 : 0 }
        }
        return shared
    }

    /// Whether the file's member of the delta has a name that a package may contain: it is one
    /// level deeper.
    private static func canBeSentWhole(_ path: AssetPath) -> Bool {
        let member = try? AssetPath(Array(DeltaManifest.filesPrefix.utf8) + path.bytes)
        return member.map { $0.portabilityProblem == nil } ?? false
    }

    /// The deleted file with the most shared samples.
    ///
    /// Among files that share nothing, the one with the same name except for the hash and the
    /// nearest size.
    ///
    /// - Parameter shared: Counts the samples shared with an old asset. Needed because a sample
    ///   counts only for its first two files, and many files share the samples of small ones.
    private func best(
        _ resemblance: ContentSample.Resemblance, _ stems: [Int], _ asset: Asset,
        shared: (Int) throws -> Int
    ) rethrows -> Int? {
        let namesake = stems.min {
            (distance(old.assets[$0].size, asset.size), $0)
                < (distance(old.assets[$1].size, asset.size), $1)
        }
        let first = resemblance.votes.max { a, b in
            if a.value != b.value { return a.value < b.value }
            let isStem = (stems.contains(a.key), stems.contains(b.key))
            return isStem.0 == isStem.1 ? a.key > b.key : isStem.1
        }
        guard let first, resemblance.isNotable(first.value) || stems.isEmpty
        else { return namesake }
        if let namesake, !stems.contains(first.key), try shared(namesake) >= first.value {
            return namesake
        }
        return first.key
    }

    private func distance(_ a: UInt64, _ b: UInt64) -> UInt64 { a > b ? a - b : b - a }
}

/// Hashes the pieces of a file that several streams produce.
private struct PieceHasher {
    private let isNeeded: Bool
    private var hasher = StreamHasher()
    private var filled = 0
    private var digests: [Digest] = []

    init(_ asset: Asset) { isNeeded = asset.size > UInt64(StreamGroup.outputLimit) }

    mutating func update(_ bytes: RawSpan) {
        guard isNeeded else { return }
        var start = 0
        while start < bytes.byteCount {
            let count = min(bytes.byteCount - start, StreamGroup.outputLimit - filled)
            hasher.update(bytes.extracting(start..<(start + count)))
            filled += count
            start += count
            if filled == StreamGroup.outputLimit { endPiece() }
        }
    }

    private mutating func endPiece() {
        digests.append(hasher.finish())
        hasher = StreamHasher()
        filled = 0
    }

    mutating func finish() -> [Digest] {
        if filled > 0 { endPiece() }
        return digests
    }
}
