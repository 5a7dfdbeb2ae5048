/// Probabilities and counters: the arithmetic shared by all models of the codec.
///
/// A counter has 22 bits of probability and 10 bits for its number of observations; the numerous
/// counters of the mixed contexts are ``ShortCounter``s.
@safe struct Logistic: ~Copyable {
    /// The tables of ``squash(_:)``, ``input(_:)`` and ``pace(_:)``, one after another, so that one
    /// register has the address of all.
    private let tables: UnsafeMutablePointer<UInt16>
    private static let inputs = 6144
    private static let paces = inputs + 4096
    private let stretchTable: UnsafeMutablePointer<Int32>
    private let reciprocals: UnsafeMutablePointer<Int32>

    /// A counter without observations: one half.
    static let unseen: UInt32 = 1 << 31

    init() {
        let squash = LogisticTables.squash
        let stretch = LogisticTables.stretch
        unsafe tables = .allocate(capacity: Self.paces + 256)
        unsafe stretchTable = .allocate(capacity: 4096)
        unsafe reciprocals = .allocate(capacity: 1024)
        for (index, value) in squash.enumerated() {
            unsafe (tables + index).initialize(to: value)
        }
        for (index, value) in stretch.enumerated() {
            unsafe (stretchTable + index).initialize(to: Int32(value))
        }
        for (index, value) in LogisticTables.reciprocals.enumerated() {
            unsafe (reciprocals + index).initialize(to: Int32(value))
        }
        for index in 0..<4096 {
            unsafe (tables + Self.inputs + index).initialize(
                to: UInt16(bitPattern: max(-2047, min(2047, stretch[index]))))
        }
        for index in 0..<256 {
            unsafe (tables + Self.paces + index).initialize(to: ShortCounter.paces[index & 15])
        }
    }

    deinit {
        unsafe tables.deallocate()
        unsafe stretchTable.deallocate()
        unsafe reciprocals.deallocate()
    }

    /// The probability for a value in the logistic domain, 1 to 65535.
    @inline(__always)
    func squash(_ x: Int32) -> UInt32 {
        let x = max(-LogisticTables.limit, min(LogisticTables.limit, x))
        return unsafe UInt32(tables[Int(x) &+ 3072])
    }

    /// The value in the logistic domain for a probability of 16 bits.
    @inline(__always)
    func stretch(_ probability: UInt32) -> Int32 {
        unsafe stretchTable[Int(probability >> 4 & 4095)]
    }

    /// A counter's probability of a 1, 16 bits.
    @inline(__always)
    static func probability(_ counter: UInt32) -> UInt32 { counter >> 16 }

    /// A counter after one more bit.
    ///
    /// - Parameter limit: The largest number of observations to count; a higher limit forgets more
    ///   slowly.
    @inline(__always)
    func updated(_ counter: UInt32, _ bit: UInt32, limit: UInt32) -> UInt32 {
        let seen = counter & 1023
        let old = Int32(truncatingIfNeeded: counter >> 10)
        let distance = Int64((Int32(truncatingIfNeeded: bit << 22) &- old) >> 3)
        let change = (distance &* Int64(unsafe reciprocals[Int(seen)])) >> 13
        let moved = old &+ Int32(truncatingIfNeeded: change)
        let probability = UInt32(truncatingIfNeeded: min(moved, (1 << 22) &- 1))
        return probability << 10 | (seen < limit ? seen &+ 1 : seen)
    }

    /// The step of a short counter's next update.
    @inline(__always)
    func pace(_ counter: UInt16) -> UInt16 {
        // By the lower byte, because that is one instruction.
        unsafe tables[Self.paces &+ Int(UInt8(truncatingIfNeeded: counter))]
    }

    /// A short counter as an input for mixing; 0 without observations.
    @inline(__always)
    func input(_ counter: UInt16) -> Int16 {
        Int16(bitPattern: unsafe tables[Self.inputs &+ Int(counter >> 4)])
    }

    /// Codes a bit with its own counter.
    @inline(__always)
    func code<Coder: BitCoder & ~Copyable>(
        _ bit: UInt32, by counter: inout UInt32, limit: UInt32, _ coder: inout Coder
    ) -> UInt32 {
        let probability = max(1, Self.probability(counter))
        let result = coder.code(bit, probability)
        counter = updated(counter, result, limit: limit)
        return result
    }
}
