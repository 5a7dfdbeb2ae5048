/// Sets of weights that mix predictions in the logistic domain; each set learns from its own
/// errors.
///
/// Weights have 13 fractional bits and stay within ±4.
@safe struct WeightTable: ~Copyable {
    /// Predictions to mix, each within ±2047.
    typealias Inputs = SIMD8<Int16>
    private typealias Wide = SIMD8<Int32>

    private let weights: UnsafeMutablePointer<Inputs>

    /// Allocates the weights.
    ///
    /// - Parameters:
    ///   - count: The number of weight vectors: the sets times the vectors per set.
    ///   - weight: The initial value of every weight.
    init(count: Int, weight: Int16) {
        unsafe weights = .allocate(capacity: count)
        unsafe weights.initialize(repeating: Inputs(repeating: weight), count: count)
    }

    deinit { unsafe weights.deallocate() }

    /// The weighted sum of a vector of inputs, before ``rounded(_:)``.
    @inline(__always)
    func sum(_ inputs: Inputs, _ slot: Int) -> Int32 {
        let product =
            unsafe Wide(truncatingIfNeeded: weights[slot]) &* Wide(truncatingIfNeeded: inputs)
        return (product.evenHalf &+ product.oddHalf).wrappedSum()
    }

    /// A sum as a value of the logistic domain.
    @inline(__always)
    static func rounded(_ sum: Int32, bits: Int32 = 13) -> Int32 {
        max(-LogisticTables.limit, min(LogisticTables.limit, sum &>> bits))
    }

    /// The step for the weights of a set.
    ///
    /// - Parameters:
    ///   - value: The prediction of the set.
    ///   - bit: The coded bit.
    ///   - rate: The learning rate.
    @inline(__always)
    static func step(
        _ value: Int32, _ bit: UInt32, rate: Int32, _ logistic: borrowing Logistic
    ) -> Inputs {
        let mistake =
            Int32(truncatingIfNeeded: bit << 16)
            &- Int32(truncatingIfNeeded: logistic.squash(value))
        // In 16 bits, because their products are one instruction on every processor.
        return Inputs(
            repeating: Int16(
                truncatingIfNeeded: max(-32767, min(32767, (mistake &* rate) >> 4))))
    }

    /// The change of weights: the contribution of each input to an error.
    ///
    /// Its values are within ±1024.
    @inline(__always)
    static func change(_ inputs: Inputs, by step: Inputs) -> Inputs {
        // The product over 2^16, rounded; each half of the product is one instruction.
        let product = Wide(truncatingIfNeeded: inputs) &* Wide(truncatingIfNeeded: step)
        let high = Inputs(truncatingIfNeeded: product &>> 16)
        let low = SIMD8<UInt16>(truncatingIfNeeded: inputs &* step) &>> 15
        return high &+ Inputs(truncatingIfNeeded: low)
    }

    /// Adds a change to a vector of weights.
    @inline(__always)
    func add(_ change: Inputs, _ slot: Int) {
        let most = Inputs(repeating: Self.most)
        let least = Inputs(repeating: -Self.most)
        let sum = unsafe weights[slot] &+ change
        let capped = sum.replacing(with: most, where: most .< sum)
        unsafe weights[slot] = capped.replacing(with: least, where: capped .< least)
    }

    /// The largest weight: with a change added, it fits into 16 bits.
    private static let most: Int16 = 31743
}
