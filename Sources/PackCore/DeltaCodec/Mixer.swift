/// Mixes predictions in the logistic domain: three sets of weights, each chosen by a context of its own,
/// say what they think and learn from their own mistake; their average counts.
///
/// Weights have 14 bits behind the point and stay within ±2.
@safe struct Mixer: ~Copyable {
    private typealias Lanes = SIMD8<Int16>
    private typealias Wide = SIMD8<Int32>

    /// The predictions to be mixed, each within ±2047.
    let inputs: UnsafeMutablePointer<Int16>
    private let vectors: UnsafeMutablePointer<SIMD8<Int16>>
    private let weights: UnsafeMutablePointer<SIMD8<Int16>>
    /// Vectors of inputs.
    private static var width: Int { 2 }
    private let starts: (Int, Int, Int)
    private let rate: Int32
    private var selected = (0, 0, 0)
    private var sums: (Int32, Int32, Int32) = (0, 0, 0)

    /// - Parameters:
    ///   - sets: how many sets of weights each of the three has.
    ///   - weight: what every weight starts at.
    ///   - rate: how fast weights learn.
    init(sets: (Int, Int, Int), weight: Int16, rate: Int32) {
        let width = Self.width
        self.rate = rate
        starts = (0, sets.0 * width, (sets.0 + sets.1) * width)
        let count = (sets.0 + sets.1 + sets.2) * width
        unsafe vectors = .allocate(capacity: width)
        unsafe vectors.initialize(repeating: Lanes(), count: width)
        unsafe inputs = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Int16.self)
        unsafe weights = .allocate(capacity: count)
        unsafe weights.initialize(repeating: Lanes(repeating: weight), count: count)
    }

    deinit {
        unsafe vectors.deallocate()
        unsafe weights.deallocate()
    }

    /// The probability of a 1 as the sets of these numbers see it.
    ///
    /// Each number has to be below the number of sets that the mixer was made with.
    @inline(__always)
    mutating func mix(_ first: Int, _ second: Int, _ third: Int, _ logistic: borrowing Logistic)
        -> UInt32
    {
        selected = (
            starts.0 &+ first &* Self.width, starts.1 &+ second &* Self.width,
            starts.2 &+ third &* Self.width
        )
        sums = (unsafe sum(selected.0), unsafe sum(selected.1), unsafe sum(selected.2))
        return logistic.squash((sums.0 &+ sums.1 &+ sums.2) / 3)
    }

    @inline(__always)
    @unsafe private func sum(_ start: Int) -> Int32 {
        var total = SIMD4<Int32>()
        let set = unsafe weights + start
        for index in 0..<Self.width {
            let product =
                unsafe Wide(truncatingIfNeeded: set[index])
                &* Wide(truncatingIfNeeded: vectors[index])
            total &+= product.evenHalf &+ product.oddHalf
        }
        let sum = total.wrappedSum() >> 14
        return max(-LogisticTables.limit, min(LogisticTables.limit, sum))
    }

    /// Learns from the bit that came.
    @inline(__always)
    mutating func learn(_ bit: UInt32, _ logistic: borrowing Logistic) {
        unsafe adjust(selected.0, sums.0, bit, logistic)
        unsafe adjust(selected.1, sums.1, bit, logistic)
        unsafe adjust(selected.2, sums.2, bit, logistic)
    }

    @inline(__always)
    @unsafe private func adjust(
        _ start: Int, _ sum: Int32, _ bit: UInt32, _ logistic: borrowing Logistic
    ) {
        let mistake =
            Int32(truncatingIfNeeded: bit << 16)
            &- Int32(
                truncatingIfNeeded: logistic.squash(sum))
        // As 16 bits: products of those are one instruction on every processor.
        let step = Lanes(
            repeating: Int16(
                truncatingIfNeeded: max(-32767, min(32767, (mistake &* rate) >> 4))))
        let set = unsafe weights + start
        for index in 0..<Self.width {
            let product =
                unsafe Wide(truncatingIfNeeded: vectors[index])
                &* Wide(truncatingIfNeeded: step)
            // The product over 2^16, rounded.
            let high = Lanes(truncatingIfNeeded: product &>> 16)
            let low = SIMD8<UInt16>(truncatingIfNeeded: product) &>> 15
            let change = high &+ Lanes(truncatingIfNeeded: low)
            // The sum, or where that has too many bits, the largest or smallest weight.
            let old = unsafe set[index]
            let sum = old &+ change
            let isTooFar = (sum ^ old) & (sum ^ change) .< Lanes()
            let farthest = (old &>> 15) ^ Lanes(repeating: 32767)
            unsafe set[index] = sum.replacing(with: farthest, where: isTooFar)
        }
    }
}
