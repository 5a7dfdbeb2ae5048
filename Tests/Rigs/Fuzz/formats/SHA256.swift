/// SHA-256 (FIPS 180-4) for the fuzz targets, which are built without packages.
struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    private static let constants: [UInt32] = {
        // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
        let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
        return primes.map { prime in
            // floor(cbrt(prime * 2^96)), by halves, in 128 bits.
            var root: UInt128 = 0
            for bit in stride(from: 34, through: 0, by: -1) {
                let next = root | 1 << UInt128(bit)
                if next * next * next <= UInt128(prime) << 96 { root = next }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        rest += Array(bytes)
        var start = 0
        while rest.count - start >= 64 {
            block(start)
            start += 64
        }
        rest.removeFirst(start)
    }

    func finalize() -> [UInt8] {
        var last = self
        let bits = count * 8
        var padding: [UInt8] = [0x80] + Array(repeating: 0, count: (119 - rest.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            padding.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        padding.withUnsafeBytes { last.update(bufferPointer: $0) }
        return last.state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private mutating func block(_ start: Int) {
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(rest[start + 4 * index + $1]) }
        }
        for index in 16..<64 {
            let (one, two) = (words[index - 15], words[index - 2])
            words.append(
                words[index - 16] &+ (turned(one, 7) ^ turned(one, 18) ^ one >> 3)
                    &+ words[index - 7]
                    &+ (turned(two, 17) ^ turned(two, 19) ^ two >> 10))
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let first =
                h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ (e & f ^ ~e & g)
                &+ Self.constants[index] &+ words[index]
            let second =
                (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }
}
