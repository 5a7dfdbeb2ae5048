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
    private let width: Int
    private let starts: (Int, Int, Int)
    private let rate: Int32
    private var selected = (0, 0, 0)
    private var sums: (Int32, Int32, Int32) = (0, 0, 0)

    /// - Parameters:
    ///   - width: how many inputs there are, a multiple of eight.
    ///   - sets: how many sets of weights each of the three has.
    ///   - weight: what every weight starts at.
    ///   - rate: how fast weights learn.
    init(width: Int, sets: (Int, Int, Int), weight: Int16, rate: Int32) {
        self.width = width / 8
        self.rate = rate
        starts = (0, sets.0 * self.width, (sets.0 + sets.1) * self.width)
        let count = (sets.0 + sets.1 + sets.2) * self.width
        unsafe vectors = .allocate(capacity: self.width)
        unsafe vectors.initialize(repeating: Lanes(), count: self.width)
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
            starts.0 &+ first &* width, starts.1 &+ second &* width, starts.2 &+ third &* width
        )
        sums = (unsafe sum(selected.0), unsafe sum(selected.1), unsafe sum(selected.2))
        return logistic.squash((sums.0 &+ sums.1 &+ sums.2) / 3)
    }

    @inline(__always)
    @unsafe private func sum(_ start: Int) -> Int32 {
        var total = Wide()
        let set = unsafe weights + start
        for index in 0..<width {
            unsafe total &+=
                Wide(truncatingIfNeeded: set[index]) &* Wide(truncatingIfNeeded: vectors[index])
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
        let step = Wide(repeating: max(-32767, min(32767, (mistake &* rate) >> 4)))
        let set = unsafe weights + start
        for index in 0..<width {
            let change =
                unsafe (Wide(truncatingIfNeeded: vectors[index]) &* step &+ Wide(repeating: 0x8000))
                &>> Wide(repeating: 16)
            let sum = unsafe (Wide(truncatingIfNeeded: set[index]) &+ change)
                .clamped(
                    lowerBound: Wide(repeating: -32768), upperBound: Wide(repeating: 32767))
            unsafe set[index] = Lanes(truncatingIfNeeded: sum)
        }
    }
}
