import PackDeltaFile

/// Finds the old file most similar to a new one, by shared content.
///
/// A rolling hash of 32 bytes selects about one position in 64, so that equal text gives equal
/// samples at any position.
struct ContentSample {
    private var owners: SampleTable
    /// The bits of the rolling hash required to be 0 at a sample.
    private let mask: UInt32

    /// The approximate largest number of samples; their table then takes about 200 MiB.
    private static let most: UInt64 = 1 << 22

    /// Chooses the sampling rate.
    ///
    /// - Parameter total: The size of all old files in bytes. If there are too many to sample every
    ///   64th position, samples are rarer, in old and new files alike.
    init(of total: UInt64) {
        var mask: UInt32 = 0xFC00_0000
        while total >> UInt64(mask.nonzeroBitCount) > Self.most, mask.nonzeroBitCount < 24 {
            mask |= mask >> 1
        }
        self.mask = mask
        owners = SampleTable(expecting: Int(total >> UInt64(mask.nonzeroBitCount)))
    }

    /// Two summands for each byte value, from the finalizer of SplitMix64.
    ///
    /// With a single hash, large files without common content would share hundreds of samples.
    private static let gear: [UInt64] = (0..<256).map { index in
        var value = (UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
    /// The first summand alone, which is added at every position.
    private static let first = gear.map { UInt32(truncatingIfNeeded: $0) }

    /// Iterates over content that arrives in pieces.
    struct Walk {
        private var first: UInt32 = 0
        private var second: UInt32 = 0
        fileprivate let mask: UInt32

        fileprivate init(mask: UInt32) { self.mask = mask }

        /// Calls `body` with every sample of a piece.
        @inline(__always)
        mutating func forEach(in piece: RawSpan, _ body: (UInt64) -> Void) {
            let (mask, start) = (mask, second)
            var hash = first
            unsafe ContentSample.first.withUnsafeBufferPointer { gear in
                for index in 0..<piece.byteCount {
                    let byte = unsafe piece.unsafeLoad(
                        fromByteOffset: index, as: UInt8.self)
                    hash = (hash &<< 1) &+ (unsafe gear[Int(byte)])
                    guard hash & mask == 0 else { continue }
                    let other = Self.second(after: start, piece.extracting(first: index + 1))
                    body(UInt64(other) << 32 | UInt64(hash))
                }
            }
            first = hash
            second = Self.second(after: start, piece)
        }

        /// The second hash after some bytes, which depends only on the last 32.
        private static func second(after start: UInt32, _ bytes: RawSpan) -> UInt32 {
            var hash = start
            for index in max(0, bytes.byteCount - 32)..<bytes.byteCount {
                let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                hash = (hash &<< 1) &+ UInt32(truncatingIfNeeded: gear[Int(byte)] >> 32)
            }
            return hash
        }
    }

    func walk() -> Walk { Walk(mask: mask) }

    /// Adds the samples of an old file's next piece.
    mutating func add(_ piece: RawSpan, _ walk: inout Walk, as file: Int) {
        let owner = Int32(truncatingIfNeeded: file)
        walk.forEach(in: piece) { owners.add(owner, to: $0) }
    }

    /// The content shared between a new file and the old files.
    struct Resemblance {
        /// The number of samples shared with each old file.
        var votes: [Int: Int] = [:]
        var samples = 0
        /// The number of the new file's samples found in any old file.
        var shared = 0

        /// Counts samples with the same owners.
        fileprivate mutating func vote(for owners: SampleTable.Owners, _ count: Int) {
            guard count > 0 else { return }
            shared += count
            votes[Int(owners.x), default: 0] += count
            if owners.y >= 0 { votes[Int(owners.y), default: 0] += count }
        }

        /// Whether this number of samples is more than a common header or table.
        func isNotable(_ count: Int) -> Bool { count * 64 > samples }

        /// The approximate number of bytes that are in no old file.
        func novelBytes(of size: Int) -> Int {
            if samples == 0 { return 0 }
            return size / samples * (samples - min(shared, samples))
        }

        /// Whether less than one of 1,024 samples is new.
        var isNearlyAll: Bool { samples > 0 && samples - min(shared, samples) <= samples / 1024 }

        /// The old files that share enough content to include in a stream's dictionary.
        ///
        /// Files with less only displace useful content from its tables.
        var relatives: [Int: Int] { votes.filter { $0.value * 16 > samples } }
    }

    /// Compares the next piece of a new file with the old files.
    func compare(
        _ piece: RawSpan, _ walk: inout Walk, _ result: inout Resemblance
    ) {
        // Neighbouring samples mostly have the same owners.
        var last = SampleTable.Owners(-1, -1)
        var run = 0
        var samples = 0
        walk.forEach(in: piece) { sample in
            samples += 1
            guard let found = owners[sample] else { return }
            if found != last {
                result.vote(for: last, run)
                last = found
                run = 0
            }
            run += 1
        }
        result.vote(for: last, run)
        result.samples += samples
    }
}
