/// Renames visible in file names: old content hashes and their replacements.
@safe package struct NameSeeds: ~Copyable {
    struct Seed {
        /// The positions of the old and the new piece of the name in the text.
        var old: Int
        var oldLength: Int
        var new: Int
        var newLength: Int
    }

    static let fewestBytes = 4
    static let mostSeeds = 1 << 16

    /// Sorted by the bytes of the old piece; of several with the same piece, only the first.
    ///
    /// A sorted list instead of a hash table, because the names, and so their hashes, are
    /// untrusted.
    private var seeds: [Seed] = []
    /// The longest other seed that is a prefix of each seed; −1 for none.
    private var parents: [Int32] = []
    /// A bit for each hash of four bytes at the start of a seed.
    private var filter = Cells<UInt64>(bits: 0, repeating: 0)

    init(_ seeds: [Seed], _ text: borrowing TextBuffer) {
        guard !seeds.isEmpty else { return }
        let order = Self.sorted(seeds, text)
        var chain: [Int] = []
        for index in order {
            let seed = seeds[index]
            while let last = chain.last, !Self.begins(seed, with: self.seeds[last], text) {
                chain.removeLast()
            }
            // Sorting is stable, so the first of equal seeds is kept.
            if let last = chain.last, self.seeds[last].oldLength == seed.oldLength { continue }
            parents.append(Int32(truncatingIfNeeded: chain.last ?? -1))
            chain.append(self.seeds.count)
            self.seeds.append(seed)
        }
        var bits = 0
        while 2 << bits < seeds.count { bits += 1 }
        filter = Cells(bits: bits, repeating: 0)
        for seed in self.seeds {
            let slot = hash(text, seed.old)
            filter[slot >> 6] |= 1 << UInt64(slot & 63)
        }
    }

    /// The indices of seeds, sorted by their old pieces' bytes, then by input order.
    private static func sorted(_ seeds: [Seed], _ text: borrowing TextBuffer) -> [Int] {
        // A merge sort, because the closure of `sort` cannot capture a noncopyable text.
        var order = Array(seeds.indices)
        var merged = order
        var width = 1
        while width < order.count {
            var start = 0
            while start < order.count {
                let middle = min(start + width, order.count)
                let end = min(middle + width, order.count)
                var (left, right, next) = (start, middle, start)
                while next < end {
                    let takesRight =
                        left == middle
                        || right < end
                            && compare(seeds[order[right]], seeds[order[left]], text) < 0
                    merged[next] = order[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                    next += 1
                }
                start = end
            }
            swap(&order, &merged)
            width *= 2
        }
        return order
    }

    /// Negative if the old piece of `a` sorts before that of `b`, positive if after.
    private static func compare(_ a: Seed, _ b: Seed, _ text: borrowing TextBuffer) -> Int {
        compare(a.old, a.oldLength, b.old, b.oldLength, text)
    }

    private static func compare(
        _ a: Int, _ aLength: Int, _ b: Int, _ bLength: Int, _ text: borrowing TextBuffer
    ) -> Int {
        let shared = min(aLength, bLength)
        var offset = 0
        while offset < shared {
            let x = text.word(at: a &+ offset)
            let y = text.word(at: b &+ offset)
            if x != y {
                let same = (x ^ y).trailingZeroBitCount >> 3
                guard offset &+ same < shared else { break }
                let shift = UInt64(truncatingIfNeeded: 8 &* same)
                return Int(x &>> shift & 0xFF) &- Int(y &>> shift & 0xFF)
            }
            offset &+= 8
        }
        return aLength &- bLength
    }

    private static func begins(
        _ seed: Seed, with other: Seed, _ text: borrowing TextBuffer
    ) -> Bool {
        other.oldLength <= seed.oldLength && text.isEqual(other.old, seed.old, other.oldLength)
    }

    @inline(__always)
    private func hash(_ text: borrowing TextBuffer, _ position: Int) -> Int {
        let value = UInt32(truncatingIfNeeded: text.word(at: position))
        return Int((value &* 2_654_435_761) >> 11)
    }

    /// Whether a byte can precede a content hash in a name.
    @inline(__always)
    package static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x2F
    }

    var isEmpty: Bool { seeds.isEmpty }

    /// The seed whose old piece is at a position of the text; the longest one of several.
    ///
    /// - Parameter limit: The end of the readable text.
    @inline(__always)
    func at(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        if seeds.isEmpty || !mayBe(at: position, text) { return nil }
        return find(position, text, limit: limit)
    }

    /// Whether four bytes at a position may begin an old piece; there must be seeds.
    @inline(__always)
    func mayBe(at position: Int, _ text: borrowing TextBuffer) -> Bool {
        let slot = hash(text, position)
        return filter[slot >> 6] &>> UInt64(truncatingIfNeeded: slot) & 1 == 1
    }

    private func find(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        let length = limit &- position
        guard length >= Self.fewestBytes else { return nil }
        // All seeds that are prefixes of the text are prefixes of the last seed that does not sort
        // after it.
        var low = 0
        var high = seeds.count
        while low < high {
            let middle = (low &+ high) / 2
            let seed = seeds[middle]
            if Self.compare(seed.old, seed.oldLength, position, length, text) <= 0 {
                low = middle &+ 1
            } else {
                high = middle
            }
        }
        var index = low &- 1
        while index >= 0 {
            let seed = seeds[index]
            if seed.oldLength <= length, text.isEqual(seed.old, position, seed.oldLength) {
                return seed
            }
            index = Int(parents[index])
        }
        return nil
    }
}
