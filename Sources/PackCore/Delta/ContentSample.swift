/// Finds the old file that a new one resembles most, by content that both share.
///
/// Positions are chosen by a rolling hash of the 32 bytes before them, about one in 64, so that equal
/// text gives equal samples wherever it stands.
struct ContentSample {
    /// The first two files that have each sample; −1 for none.
    private var owners: [UInt64: SIMD2<Int32>] = [:]
    /// The bits of the rolling hash that are 0 where a sample is taken.
    private let mask: UInt32

    /// About how many samples are kept: their table takes some 200 MiB then.
    private static let most: UInt64 = 1 << 22

    /// - Parameter total: the bytes of all old files. Where they are so many that every 64th position would
    ///   be too much to remember, samples are rarer, in the old files and in the new ones.
    init(of total: UInt64) {
        var mask: UInt32 = 0xFC00_0000
        while total >> UInt64(mask.nonzeroBitCount) > Self.most, mask.nonzeroBitCount < 24 {
            mask |= mask >> 1
        }
        self.mask = mask
    }

    /// Two summands for each byte value, from the finalizer of SplitMix64: one hash would let large
    /// files that have nothing in common share hundreds of samples.
    private static let gear: [SIMD2<UInt32>] = (0..<256).map { index in
        var value = (UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return SIMD2(
            UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
    }

    /// Walks over a content that comes piece by piece.
    struct Walk {
        fileprivate var hash = SIMD2<UInt32>()
        fileprivate let mask: UInt32

        /// Calls `body` with every sample of a piece.
        mutating func forEach(
            in piece: RawSpan, _ body: (UInt64) -> Void
        ) {
            var hash = hash
            let mask = mask
            unsafe piece.withUnsafeBytes { bytes in
                for index in 0..<bytes.count {
                    hash = (hash &<< 1) &+ gear[Int(unsafe bytes[index])]
                    if hash.x & mask == 0 { body(UInt64(hash.y) << 32 | UInt64(hash.x)) }
                }
            }
            self.hash = hash
        }
    }

    func walk() -> Walk { Walk(mask: mask) }

    /// Adds the samples of an old file's next piece.
    mutating func add(_ piece: RawSpan, _ walk: inout Walk, as file: Int) {
        let owner = Int32(truncatingIfNeeded: file)
        walk.forEach(in: piece) { sample in
            guard let known = owners[sample] else {
                owners[sample] = SIMD2(owner, -1)
                return
            }
            if known.x != owner, known.y < 0 { owners[sample] = SIMD2(known.x, owner) }
        }
    }

    /// What a content shares with the old files.
    struct Resemblance {
        /// How many samples each old file shares.
        var votes: [Int: Int] = [:]
        var samples = 0
        /// How many samples any old file has.
        var shared = 0

        /// Whether so many samples are more than a stray header or table in common.
        func isNotable(_ count: Int) -> Bool { count * 64 > samples }

        /// The old files that share so much that a stream gains by having them at hand: with less they
        /// only drive what is needed out of its tables.
        var relatives: [Int: Int] { votes.filter { $0.value * 16 > samples } }
    }

    /// Compares the next piece of a content with the old files.
    func compare(
        _ piece: RawSpan, _ walk: inout Walk, _ result: inout Resemblance
    ) {
        walk.forEach(in: piece) { sample in
            result.samples += 1
            guard let owner = owners[sample] else { return }
            result.shared += 1
            result.votes[Int(owner.x), default: 0] += 1
            if owner.y >= 0 { result.votes[Int(owner.y), default: 0] += 1 }
        }
    }
}
