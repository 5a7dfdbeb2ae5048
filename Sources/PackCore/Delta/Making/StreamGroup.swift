package import PackDelta
import PackDeltaFile
package import PackGround
package import PackRelease

/// The files produced by one stream of a delta.
package struct StreamGroup: Sendable {
    /// A piece of a new file.
    package struct Piece: Equatable, Sendable {
        package let asset: Asset
        package let offset: Int
        package let length: Int
        /// The hash of its bytes.
        package let sha256: Digest
    }

    package var listing = DeltaListing(dictionary: [], files: [])
    package var pieces: [Piece] = []
    /// Whether its files are already compressed.
    package var isCompressed = false
    /// The approximate number of its bytes that resemble nothing old.
    package var novelBytes = 0
    /// The old files, by index, that resemble its files, with the number of shared samples.
    package var relatives: [Int: Int] = [:]

    /// The largest output of a stream in bytes, which a client keeps in memory.
    static let outputLimit = 16 << 20
    /// The largest total size, in bytes, of old files besides the bases in a dictionary.
    private static let relativesLimit: UInt64 = 40 << 20
    /// The size of bases, in bytes, after which the next stream starts.
    ///
    /// With the largest base and the related files added, this stays far below the limit of
    /// clients.
    static let basesLimit = 96 << 20
    /// The number of bytes of an old file around the aligned piece to include in the dictionary.
    static let margin = 1 << 20

    /// The approximate number of bytes that the aligned coder codes one by one.
    var expectedCoded: Int { isCompressed ? 0 : novelBytes / 2 + listing.outputSize / 256 + 1024 }

    /// Splits the files of a plan into streams.
    ///
    /// - Parameter codedLimit: The largest number of bytes to code one by one. If more are
    ///   expected, the files that save most for each of them are first.
    package static func split(_ plan: DeltaPlan, codedLimit: Int = .max) -> [StreamGroup] {
        let newPaths = Set(plan.new.assets.map(\.path))
        let copied = Set(plan.copies.map(\.old.path))
        var groups: [StreamGroup] = []
        let hasMuchCompressed =
            plan.coded.clampedSum { $0.isCompressed ? $0.asset.size : 0 } >= muchCompressed
        for kind in Kind.allCases {
            let coded = ordered(
                plan.coded.filter { self.kind(of: $0, hasMuchCompressed) == kind }, codedLimit)
            var splitter = Splitter(
                old: plan.old.assets, newPaths: newPaths,
                total: coded.reduce(0) { $0 + Int($1.asset.size) })
            for file in coded { splitter.add(file) }
            splitter.finish()
            addRelatives(but: copied, of: plan.old, to: &splitter.groups)
            if kind == .compressed {
                for index in splitter.groups.indices { splitter.groups[index].isCompressed = true }
            }
            groups += splitter.groups
        }
        if plan.listsCopies {
            if groups.isEmpty { groups.append(StreamGroup()) }
            groups[0].listing.copies = listed(plan.copies, of: plan.old, newPaths)
        }
        return groups
    }

    /// Moves the files beyond the limit behind the others, the least novel ones first.
    ///
    /// The aligned coder saves most on changed names and numbers, and little on novel text.
    private static func ordered(
        _ coded: [DeltaPlan.Coded], _ limit: Int
    ) -> [DeltaPlan.Coded] {
        guard coded.clampedSum(of: \.expectedCoded) > limit else { return coded }
        func novelty(_ file: DeltaPlan.Coded) -> Double {
            Double(file.expectedCoded) / Double(max(1, file.asset.size))
        }
        let byNovelty = coded.enumerated().sorted {
            (novelty($0.element), $0.offset) < (novelty($1.element), $1.offset)
        }
        var expected = 0
        let fitting = byNovelty.prefix {
            expected += $0.element.expectedCoded
            return !CodingBudget.mayExceed(limit, expected)
        }
        return fitting.sorted { $0.offset < $1.offset }.map(\.element)
            + byNovelty.dropFirst(fitting.count).map(\.element)
    }

    /// The copies in the order of their old files.
    private static func listed(
        _ copies: [(new: Asset, old: Asset)], of old: Release, _ newPaths: Set<AssetPath>
    ) -> [DeltaListing.Copy] {
        copies.compactMap { copy in
            old.assets.index(of: copy.old.path).map {
                .init(
                    path: copy.new.path.bytes, base: $0,
                    keepsBase: newPaths.contains(copy.old.path))
            }
        }.sorted { $0.base < $1.base }
    }

    /// The kinds of files in separate streams.
    private enum Kind: CaseIterable {
        case other
        /// Source maps: large files that resemble only each other.
        case sourceMap
        /// Compressed files, which the aligned coder would code byte by byte, slowly and without
        /// benefit.
        case compressed
    }

    /// Below this size, compressed content shares streams, because a separate one costs about 150
    /// bytes.
    private static let muchCompressed: UInt64 = 64 << 10

    private static func kind(of coded: DeltaPlan.Coded, _ hasMuchCompressed: Bool) -> Kind {
        if DeltaListing.isSourceMap(coded.asset.path.bytes) { return .sourceMap }
        return hasMuchCompressed && coded.isCompressed ? .compressed : .other
    }

    /// Adds the old files that share most with a stream's files to its dictionary, up to the limit.
    ///
    /// - Parameter copied: The files copied unchanged; the new release already has their content.
    private static func addRelatives(
        but copied: Set<AssetPath>, of old: Release, to groups: inout [StreamGroup]
    ) {
        for index in groups.indices {
            let known = Set(groups[index].listing.dictionary.map(\.file))
            let relatives = groups[index].relatives.sorted {
                ($0.value, $1.key) > ($1.value, $0.key)
            }
            var room = relativesLimit
            for (file, _) in relatives where !known.contains(file) {
                let asset = old.assets[file]
                guard asset.size <= room, !copied.contains(asset.path) else { continue }
                room -= asset.size
                groups[index].listing.dictionary.append(
                    .init(file: file, offset: 0, length: Int(asset.size)))
            }
            groups[index].listing.dictionary.sort { $0.file < $1.file }
        }
    }
}

/// Fills one stream after another with files and their bases.
private struct Splitter {
    let old: [Asset]
    let newPaths: Set<AssetPath>
    var groups: [StreamGroup] = []
    private var group = StreamGroup()
    private var output = 0
    private var segments: [Int: DeltaListing.Segment] = [:]
    /// The size of all segments in bytes, kept as a running total, since a build may have 100,000
    /// files.
    private var bases = 0
    /// The output size of each stream if all streams had the same size.
    private let fairShare: Int

    /// Creates a splitter.
    ///
    /// - Parameter total: The size of all files in bytes.
    init(old: [Asset], newPaths: Set<AssetPath>, total: Int) {
        self.old = old
        self.newPaths = newPaths
        let count = (total + StreamGroup.outputLimit - 1) / StreamGroup.outputLimit
        fairShare = total / max(1, count)
    }

    mutating func add(_ coded: DeltaPlan.Coded) {
        let size = Int(coded.asset.size)
        // As few streams as possible, of about the same size: the largest one determines a client's
        // memory.
        if output + size / 2 > fairShare || output + size > StreamGroup.outputLimit
            || bases > StreamGroup.basesLimit
        {
            finish()
        }
        var offset = 0
        repeat {
            let length = min(size - offset, StreamGroup.outputLimit)
            if let base = coded.base {
                let segment = segment(base, offset, length, isWhole: length == size)
                bases += segment.length - (segments[base]?.length ?? 0)
                segments[base] = segment
            }
            group.listing.files.append(
                .init(
                    path: coded.asset.path.bytes, size: length, base: coded.base,
                    keepsBase: keepsBase(coded), isContinued: offset > 0))
            let piece = offset / StreamGroup.outputLimit
            group.pieces.append(
                .init(
                    asset: coded.asset, offset: offset, length: length,
                    sha256: piece < coded.pieces.count ? coded.pieces[piece] : coded.asset.sha256))
            group.relatives.merge(coded.relatives, uniquingKeysWith: +)
            let share = Double(length) / Double(max(1, size))
            group.novelBytes += Int(Double(coded.novelBytes) * share)
            offset += length
            output += length
            if offset < size { finish() }
        } while offset < size
    }

    mutating func finish() {
        guard !group.pieces.isEmpty else { return }
        group.listing.dictionary = segments.values.sorted { $0.file < $1.file }
        groups.append(group)
        group = StreamGroup()
        output = 0
        segments = [:]
        bases = 0
    }

    private func keepsBase(_ coded: DeltaPlan.Coded) -> Bool {
        guard let base = coded.base else { return false }
        let path = old[base].path
        return path != coded.asset.path && newPaths.contains(path)
    }

    /// The piece of an old file that corresponds to a piece of a new one.
    private func segment(
        _ file: Int, _ offset: Int, _ length: Int, isWhole: Bool
    ) -> DeltaListing.Segment {
        let size = Int(clamping: old[file].size)
        if isWhole, size <= 2 * StreamGroup.outputLimit {
            return .init(file: file, offset: 0, length: size)
        }
        let start = max(0, min(offset - StreamGroup.margin, size))
        return .init(
            file: file, offset: start,
            length: max(0, min(size, offset + length + StreamGroup.margin) - start))
    }
}
