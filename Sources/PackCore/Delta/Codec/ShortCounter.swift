/// Counters of 16 bits, used by the millions in the models of literals and flags.
///
/// The upper twelve bits are the probability of a 1. The lower four count the observations, up to a
/// limit of at most 15; the more observations, the smaller the step.
enum ShortCounter {
    /// Eight counters, or their steps.
    typealias Lanes = SIMD8<UInt16>
    private typealias Wide = SIMD8<UInt32>

    /// A counter without observations: one half.
    static let unseen: UInt16 = 0x8000
    /// The bits of the probability.
    static let probability: UInt16 = 0xFFF0
    private static let seen: UInt16 = 15

    /// The step of a counter at its n-th observation: 65536 / (n + 1.3).
    static let paces = (0..<16).map { UInt16(655_360 / (10 * UInt32($0) + 13)) }

    /// A counter after one more bit.
    ///
    /// - Parameters:
    ///   - pace: The step: the entry of ``paces`` for the counter's lower four bits.
    ///   - limit: The largest number of observations to count.
    @inline(__always)
    static func updated(_ counter: UInt16, _ pace: UInt16, _ bit: UInt32, limit: UInt16) -> UInt16 {
        let mirror = bit == 0 ? 0 : probability
        let distance = (counter ^ mirror) & probability
        let step = UInt16(truncatingIfNeeded: (UInt32(distance) &* UInt32(pace)) >> 16)
        let count = counter & seen
        return ((distance &- step) & probability) ^ mirror | (count < limit ? count &+ 1 : count)
    }

    /// Eight counters after the same bit.
    ///
    /// - Parameter mirror: 0 for a 0, ``probability`` for a 1, in every lane.
    @inline(__always)
    static func updated(
        _ counters: Lanes, _ paces: Lanes, mirror: Lanes, limit: UInt16
    ) -> Lanes {
        let distance = (counters ^ mirror) & probability
        let product = Wide(truncatingIfNeeded: distance) &* Wide(truncatingIfNeeded: paces)
        let step = Lanes(truncatingIfNeeded: product &>> 16)
        let count = counters & seen
        let next = count.replacing(
            with: count &+ 1,
            where: SIMD8<Int16>(truncatingIfNeeded: count)
                .< SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: limit)))
        return ((distance &- step) & probability) ^ mirror | next
    }

    /// Whether `a` has at most as many observations as `b`.
    @inline(__always)
    static func isSeenLess(_ a: UInt16, _ b: UInt16) -> Bool { a & seen <= b & seen }
}
