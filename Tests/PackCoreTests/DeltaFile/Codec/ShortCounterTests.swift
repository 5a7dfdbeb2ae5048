import Testing

@testable import PackDelta

// @testable: the counters are internal to the codec.

@Suite("ShortCounter")
struct ShortCounterTests {
    /// The applier in `Tests/Rigs/Delta/apply.py` updates one counter at a time; updating eight at
    /// once must give the same result.
    @Test("every counter moves among eight as it does alone", arguments: [10, 15] as [UInt16])
    func eightAtOnce(limit: UInt16) {
        var mismatches = 0
        var moved = 0
        for start in stride(from: 0, to: 1 << 16, by: 8) {
            var counters = ShortCounter.Lanes()
            var paces = ShortCounter.Lanes()
            for lane in 0..<8 {
                counters[lane] = UInt16(start + lane)
                paces[lane] = ShortCounter.paces[(start + lane) & 15]
            }
            for bit in 0...1 as ClosedRange<UInt32> {
                let mirror = ShortCounter.Lanes(repeating: bit == 0 ? 0 : ShortCounter.probability)
                let together = ShortCounter.updated(
                    counters, paces, mirror: mirror, limit: limit)
                for lane in 0..<8 {
                    let alone = ShortCounter.updated(
                        counters[lane], paces[lane], bit, limit: limit)
                    mismatches += together[lane] == alone ? 0 : 1
                    moved += alone == counters[lane] ? 0 : 1
                }
            }
        }
        #expect(mismatches == 0)
        #expect(moved > 120_000)
    }

    /// Repeated equal bits move a counter as far as its rate allows: at a limit of 15, rounding
    /// loses the last step.
    @Test(
        "a counter goes to either end and no further",
        arguments: [(10, 0), (15, 16)] as [(UInt16, UInt16)])
    func ends(limit: UInt16, left: UInt16) {
        for bit in 0...1 as ClosedRange<UInt32> {
            let end: UInt16 = bit == 0 ? left : 0xFFF0 - left
            var counter = ShortCounter.unseen
            var wayBack = 0
            for _ in 0..<200 {
                let last = counter
                counter = ShortCounter.updated(
                    counter, ShortCounter.paces[Int(counter & 15)], bit, limit: limit)
                wayBack +=
                    (bit == 1) == (counter & 0xFFF0 >= last & 0xFFF0)
                        || counter & 0xFFF0 == last & 0xFFF0 ? 0 : 1
            }
            #expect(counter == end | limit)
            #expect(wayBack == 0)
        }
    }
}
