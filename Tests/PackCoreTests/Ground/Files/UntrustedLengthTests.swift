import PackGround
import Testing

@Suite struct ForeignLengthTests {
    @Test(arguments: [
        (UInt64(0), 0, 0), (5, 5, 5), (6, 5, nil), (.max, .max, nil), (1 << 63, .max, nil),
    ]) func countIsWithinItsLimit(value: UInt64, limit: Int, expected: Int?) {
        #expect(UntrustedLength(value).count(atMost: limit) == expected)
    }

    @Test func sumsStopAtTheLargestValue() {
        #expect(UInt64.max.addingClamped(1) == .max)
        #expect(Int.min.addingClamped(-1) == .min)
        #expect([UInt64](repeating: 1 << 63, count: 3).clampedSum { $0 } == .max)
        #expect([1, 2, 3].clampedSum { $0 } == 6)
    }
}
