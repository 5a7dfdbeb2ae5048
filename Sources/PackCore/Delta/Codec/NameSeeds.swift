/// Renames that the file names show: the old content hash became the new one.
@safe package struct NameSeeds: ~Copyable {
    struct Seed {
        /// Where the old and the new piece of the name lie in the text.
        var old: Int
        var oldLength: Int
        var new: Int
        var newLength: Int
    }

    static let fewestBytes = 4
    static let mostSeeds = 1 << 16

    /// By the bytes of the old piece; of several with the same one only the first.
    ///
    /// In order and not in a table by hash: who names the files chooses the hashes, too.
    private var seeds: [Seed] = []
    /// The longest seed that each one begins with; −1 for none.
    private var parents: [Int32] = []
    /// Whether a seed may begin with four bytes, a bit for each hash of such.
    private var filter: [UInt64] = []
    private var mask = 0

    init(_ seeds: [Seed], _ text: borrowing TextBuffer) {
        guard !seeds.isEmpty else { return }
        let order = Self.sorted(seeds, text)
        var chain: [Int] = []
        for index in order {
            let seed = seeds[index]
            while let last = chain.last, !Self.begins(seed, with: self.seeds[last], text) {
                chain.removeLast()
            }
            // Equal ones keep their order.
            if let last = chain.last, self.seeds[last].oldLength == seed.oldLength { continue }
            parents.append(Int32(truncatingIfNeeded: chain.last ?? -1))
            chain.append(self.seeds.count)
            self.seeds.append(seed)
        }
        var size = 64
        while size < seeds.count * 32 { size <<= 1 }
        mask = size - 1
        filter = [UInt64](repeating: 0, count: size / 64)
        for seed in self.seeds {
            let place = hash(text, seed.old)
            filter[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// The indices of seeds in the order of their old pieces' bytes, then as they were given.
    private static func sorted(_ seeds: [Seed], _ text: borrowing TextBuffer) -> [Int] {
        // By merging: a text that cannot be copied cannot be taken along by the closure of `sort`.
        var order = Array(seeds.indices)
        var merged = order
        var width = 1
        while width < order.count {
            var start = 0
            while start < order.count {
                let middle = min(start + width, order.count)
                let end = min(middle + width, order.count)
                var (left, right, place) = (start, middle, start)
                while place < end {
                    let takesRight =
                        left == middle
                        || right < end
                            && compare(seeds[order[right]], seeds[order[left]], text) < 0
                    merged[place] = order[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                    place += 1
                }
                start = end
            }
            swap(&order, &merged)
            width *= 2
        }
        return order
    }

    /// Negative if the old piece of a seed sorts before that of another one, positive if after.
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
                let place = (x ^ y).trailingZeroBitCount >> 3
                guard offset &+ place < shared else { break }
                let shift = UInt64(truncatingIfNeeded: 8 &* place)
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
        return Int((value &* 2_654_435_761) >> 11) & mask
    }

    /// Whether a byte can precede a content hash in a name.
    @inline(__always)
    package static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x2F
    }

    var isEmpty: Bool { seeds.isEmpty }

    /// The rename of the text at a position; the longest one of several.
    ///
    /// - Parameter limit: The end of the text that may be read.
    @inline(__always)
    func at(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        if seeds.isEmpty { return nil }
        return find(position, text, limit: limit)
    }

    private func find(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        let length = limit &- position
        guard length >= Self.fewestBytes else { return nil }
        let place = hash(text, position)
        guard filter[place >> 6] >> UInt64(place & 63) & 1 == 1 else { return nil }
        // The last seed that does not sort after the text starts with every seed that the text
        // starts with.
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
