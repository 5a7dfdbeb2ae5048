/// Reproducible random numbers, bytes and text (SplitMix64).
///
/// The same seed gives the same values on every machine.
package struct Noise: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Incompressible bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices { words[index] = next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// Text that compresses about as well as a script.
    package mutating func text(_ count: Int) -> [UInt8] {
        let words = [
            "const ", "return ", "function ", "=>", "{", "}", "(", ")", "index", "basket", ";\n",
            "12", "7",
        ].map { Array($0.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 16)
        while bytes.count < min(count, 1 << 16) {
            bytes += words[Int(next() % UInt64(words.count))]
        }
        // Longer texts repeat themselves, each time from a different offset, because this is fast.
        while bytes.count < count {
            let start = Int(next() % (1 << 15))
            bytes += bytes[start..<(start + (1 << 14))]
        }
        return Array(bytes.prefix(count))
    }
}
