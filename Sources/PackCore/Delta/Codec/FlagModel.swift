/// Codes whether a prediction is right: six contexts, one counter each, mixed by one set of
/// weights.
@safe struct FlagModel: ~Copyable {
    static var contexts: Int { 6 }
    private static let bits = 16
    private static let limit: UInt16 = 15
    /// The number of sets of weights.
    private static let sets = 64
    private static let rate: Int32 = 5

    private let counters: UnsafeMutablePointer<UInt16>
    /// The hash of each context, set by the caller before a flag is coded.
    let hashes: UnsafeMutablePointer<UInt32>
    private let weights = WeightTable(count: Self.sets, weight: 1700)
    private let lanes = LaneMemory()
    /// Prevents the compiler from removing the reads of ``fetch(_:)``.
    private var fetched: UInt16 = 0

    init() {
        let count = Self.contexts << Self.bits
        unsafe counters = .allocate(capacity: count)
        unsafe counters.initialize(repeating: ShortCounter.unseen, count: count)
        unsafe hashes = .allocate(capacity: Self.contexts)
        unsafe hashes.initialize(repeating: 0, count: Self.contexts)
    }

    deinit {
        unsafe counters.deallocate()
        unsafe hashes.deallocate()
    }

    @inline(__always)
    private func slot(_ index: Int) -> Int {
        unsafe index << Self.bits &+ Int(hashes[index] >> UInt32(32 - Self.bits))
    }

    @inline(__always)
    private func counter(_ index: Int) -> UInt16 { unsafe counters[slot(index)] }

    /// Reads a context's counter before it is needed.
    @inline(__always)
    mutating func fetch(_ index: Int) {
        fetched ^= counter(index)
    }

    /// Codes a flag.
    ///
    /// - Parameter set: The set of weights, below 64.
    mutating func code<Coder: BitCoder & ~Copyable>(
        _ bit: UInt32, _ set: Int, _ logistic: borrowing Logistic, _ coder: inout Coder
    ) -> UInt32 {
        let inputs = lanes.set(Self.contexts, { counter($0) }, logistic)
        let value = WeightTable.rounded(weights.sum(inputs, set))
        let result = coder.code(bit, logistic.squash(value))
        weights.add(
            WeightTable.change(
                inputs, by: WeightTable.step(value, result, rate: Self.rate, logistic)), set)
        lanes.update(result, limit: Self.limit)
        for index in 0..<Self.contexts { unsafe counters[slot(index)] = lanes[index] }
        return result
    }
}
