import Testing

@testable import PackCore

@Suite("Logistic")
struct LogisticTests {
    /// The applier in `Tests/Delta/apply.py` knows one counter at a time; eight at once must be the same.
    @Test("eight counters at once move as each does alone", arguments: [60, 127, 255] as [UInt32])
    func eightAtOnce(limit: UInt32) {
        let logistic = Logistic()
        var random = Noise(seed: UInt64(limit))
        var mismatches = 0
        var moved = 0
        for round in 0..<4_000 {
            var counters = SIMD8<UInt32>()
            var paces = SIMD8<UInt32>()
            var bits = SIMD8<UInt32>()
            for lane in 0..<8 {
                // Probabilities at both ends as often as those between, and every count up to the limit.
                let probability: UInt32 =
                    switch round & 3 {
                    case 0: UInt32(random.next() & 15)
                    case 1: (1 << 22) - 1 - UInt32(random.next() & 15)
                    default: UInt32(random.next() & (1 << 22 - 1))
                    }
                let seen = UInt32(random.next() % UInt64(limit + 1))
                counters[lane] = probability << 10 | seen
                paces[lane] = logistic.pace(counters[lane])
                bits[lane] = UInt32(random.next() & 1)
            }
            let together = Logistic.updated(counters, paces, bits, limit: limit)
            for lane in 0..<8 {
                let alone = logistic.updated(counters[lane], bits[lane], limit: limit)
                mismatches += together[lane] == alone ? 0 : 1
                moved += alone == counters[lane] ? 0 : 1
            }
        }
        #expect(mismatches == 0)
        #expect(moved > 20_000)
    }
}
