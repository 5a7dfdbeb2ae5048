/// Renames that the file names tell: the old content hash became the new one.
@safe struct NameSeeds: ~Copyable {
    struct Seed {
        /// Where the old and the new piece of the name lie in the text.
        var old: Int
        var oldLength: Int
        var new: Int
        var newLength: Int
    }

    static let fewestBytes = 4
    static let mostSeeds = 1 << 16

    private var seeds: [Seed] = []
    /// Index of a seed plus one, by the hash of its first four bytes.
    private var table: [UInt32] = []
    private var mask = 0

    init(_ seeds: [Seed], _ text: borrowing TextBuffer) {
        var size = 1
        while size < seeds.count * 4 { size <<= 1 }
        guard !seeds.isEmpty else { return }
        mask = size - 1
        table = [UInt32](repeating: 0, count: size)
        for seed in seeds {
            var place = hash(text, seed.old)
            var isKnown = false
            while table[place] != 0 {
                let other = self.seeds[Int(table[place]) - 1]
                if other.oldLength == seed.oldLength,
                    text.isEqual(other.old, seed.old, seed.oldLength)
                {
                    // The first one stands.
                    isKnown = true
                    break
                }
                place = (place + 1) & mask
            }
            if isKnown { continue }
            self.seeds.append(seed)
            table[place] = UInt32(self.seeds.count)
        }
    }

    @inline(__always)
    private func hash(_ text: borrowing TextBuffer, _ position: Int) -> Int {
        var value: UInt32 = 0
        for index in 0..<4 { value |= UInt32(text[position &+ index]) << UInt32(8 &* index) }
        return Int((value &* 2_654_435_761) >> 12) & mask
    }

    /// Whether a byte stands before content hashes in names.
    @inline(__always)
    static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x2F
    }

    var isEmpty: Bool { mask == 0 }

    /// The rename of what begins at a position; the longest one of several.
    ///
    /// - Parameter limit: where the text that may be looked at ends.
    @inline(__always)
    func at(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        if mask == 0 { return nil }
        return find(position, text, limit: limit)
    }

    private func find(_ position: Int, _ text: borrowing TextBuffer, limit: Int) -> Seed? {
        guard limit &- position >= Self.fewestBytes else { return nil }
        var place = hash(text, position)
        var best: Seed?
        while table[place] != 0 {
            let seed = seeds[Int(table[place]) - 1]
            if seed.oldLength <= limit &- position, seed.oldLength > best?.oldLength ?? 0,
                text.isEqual(seed.old, position, seed.oldLength)
            {
                best = seed
            }
            place = (place + 1) & mask
        }
        return best
    }
}
