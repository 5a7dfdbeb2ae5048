/// Codes whether a prediction holds: eight contexts, each with two predictions, mixed.
@safe struct FlagModel: ~Copyable {
    static var contexts: Int { ContextMixer.count }
    private static let bits = 16
    private static let limit: UInt32 = 255

    private let counters: UnsafeMutablePointer<UInt32>
    /// The hash of each context, set by the caller before a flag is coded.
    let hashes: UnsafeMutablePointer<UInt32>
    private var mixer: ContextMixer
    /// Keeps the reads of ``fetch(_:)`` from being left out.
    private var fetched: UInt32 = 0

    init(_ logistic: borrowing Logistic) {
        let count = Self.contexts << Self.bits
        unsafe counters = .allocate(capacity: count)
        unsafe counters.initialize(repeating: Logistic.unseen, count: count)
        unsafe hashes = .allocate(capacity: Self.contexts)
        unsafe hashes.initialize(repeating: 0, count: Self.contexts)
        mixer = ContextMixer(sets: (64, 256, 64), rate: 6, logistic)
    }

    deinit {
        unsafe counters.deallocate()
        unsafe hashes.deallocate()
    }

    /// Reads a context's counter before it is needed.
    @inline(__always)
    mutating func fetch(_ index: Int) {
        unsafe fetched ^=
            counters[index << Self.bits &+ Int(hashes[index] >> UInt32(32 - Self.bits))]
    }

    /// Codes a flag.
    ///
    /// - Parameter sets: the sets of weights: below 64, 256 and 64.
    mutating func code<Coder: BitCoder & ~Copyable>(
        _ bit: UInt32, _ sets: (Int, Int, Int), _ logistic: borrowing Logistic,
        _ coder: inout Coder
    ) -> UInt32 {
        for index in 0..<Self.contexts {
            let place = unsafe index << Self.bits &+ Int(hashes[index] >> UInt32(32 - Self.bits))
            unsafe mixer.cells[index] = counters + place
        }
        let result = coder.code(bit, mixer.predict(sets.0, sets.1, sets.2, logistic))
        mixer.learn(result, limit: Self.limit, logistic)
        return result
    }
}
