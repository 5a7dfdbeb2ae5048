/// Probabilities and counters: the arithmetic that every model of the codec shares.
///
/// A counter has 22 bits of probability over 10 bits that say how often it was seen.
@safe struct Logistic: ~Copyable {
    private let squashTable: UnsafeMutablePointer<Int32>
    private let stretchTable: UnsafeMutablePointer<Int32>
    private let reciprocals: UnsafeMutablePointer<Int32>
    /// Rows of calibration cells by how often a counter was seen, columns by its probability.
    private let rows: UnsafeMutablePointer<UInt16>
    private let columns: UnsafeMutablePointer<UInt16>
    private let inputs: UnsafeMutablePointer<Int16>

    /// A counter that has seen nothing: one half.
    static let unseen: UInt32 = 1 << 31

    init() {
        let squash = LogisticTables.squash
        let stretch = LogisticTables.stretch
        unsafe squashTable = .allocate(capacity: 6144)
        unsafe stretchTable = .allocate(capacity: 4096)
        unsafe reciprocals = .allocate(capacity: 1024)
        for (index, value) in squash.enumerated() {
            unsafe (squashTable + index).initialize(to: Int32(value))
        }
        for (index, value) in stretch.enumerated() {
            unsafe (stretchTable + index).initialize(to: Int32(value))
        }
        for (index, value) in LogisticTables.reciprocals.enumerated() {
            unsafe (reciprocals + index).initialize(to: Int32(value))
        }
        unsafe rows = .allocate(capacity: 1024)
        unsafe columns = .allocate(capacity: 4096)
        unsafe inputs = .allocate(capacity: 4096)
        for seen in 0..<1024 {
            let row =
                switch seen {
                case 0..<8: seen
                case 8..<12: 8
                case 12..<20: 9
                case 20..<32: 10
                case 32..<60: 11
                case 60..<100: 12
                default: 13
                }
            unsafe (rows + seen).initialize(to: UInt16(row * 64))
        }
        for index in 0..<4096 {
            let column = max(0, min(4607, Int(stretch[index]) + 2304)) / 72
            unsafe (columns + index).initialize(to: UInt16(column))
            unsafe (inputs + index).initialize(to: max(-2047, min(2047, stretch[index])))
        }
    }

    deinit {
        unsafe squashTable.deallocate()
        unsafe stretchTable.deallocate()
        unsafe reciprocals.deallocate()
        unsafe rows.deallocate()
        unsafe columns.deallocate()
        unsafe inputs.deallocate()
    }

    /// The probability of a value of the logistic domain, 1 to 65535.
    @inline(__always)
    func squash(_ x: Int32) -> UInt32 {
        let x = max(-LogisticTables.limit, min(LogisticTables.limit, x))
        return unsafe UInt32(truncatingIfNeeded: squashTable[Int(x) &+ 3072])
    }

    /// The value of the logistic domain of a probability of 16 bits.
    @inline(__always)
    func stretch(_ probability: UInt32) -> Int32 {
        unsafe stretchTable[Int(probability >> 4 & 4095)]
    }

    /// A counter's probability of a 1, 16 bits.
    @inline(__always)
    static func probability(_ counter: UInt32) -> UInt32 { counter >> 16 }

    /// A counter after one more bit.
    ///
    /// - Parameter limit: how often it is seen at most; the higher, the slower it forgets.
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

    /// Eight counters after one more bit each.
    ///
    /// - Parameters:
    ///   - paces: how far each one moves, as ``pace(_:)`` says.
    ///   - limit: how often each one is seen at most.
    @inline(__always)
    static func updated(
        _ counters: SIMD8<UInt32>, _ paces: SIMD8<UInt32>, _ bits: SIMD8<UInt32>, limit: UInt32
    ) -> SIMD8<UInt32> {
        typealias Signed = SIMD8<Int32>
        let old = Signed(truncatingIfNeeded: counters &>> 10)
        let distance = (Signed(truncatingIfNeeded: bits &<< 22) &- old) &>> 3
        // Products of positive numbers are one instruction on every processor: 2^20 more, and after the
        // shift by 13 bits 2^7 less.
        let positive = SIMD8<UInt32>(truncatingIfNeeded: distance &+ Signed(repeating: 1 << 20))
        let product =
            (SIMD8<UInt64>(truncatingIfNeeded: positive) &* SIMD8<UInt64>(truncatingIfNeeded: paces))
            &>> 13
        let change = SIMD8<UInt32>(truncatingIfNeeded: product) &- (paces &<< 7)
        let moved = old &+ Signed(truncatingIfNeeded: change)
        let top = Signed(repeating: (1 << 22) &- 1)
        let probability = SIMD8<UInt32>(
            truncatingIfNeeded: top.replacing(with: moved, where: moved .< top))
        let seen = counters & 1023
        let next = seen.replacing(
            with: seen &+ 1,
            where: Signed(truncatingIfNeeded: seen)
                .< Signed(repeating: Int32(truncatingIfNeeded: limit)))
        return probability &<< 10 | next
    }

    /// Which calibration cell a counter belongs to: 14 classes of experience by 64 of probability.
    @inline(__always)
    func calibrationIndex(_ counter: UInt32) -> Int {
        unsafe Int(rows[Int(counter & 1023)] &+ columns[Int(counter >> 20)])
    }

    /// How far a counter moves.
    @inline(__always)
    func pace(_ counter: UInt32) -> UInt32 {
        unsafe UInt32(truncatingIfNeeded: reciprocals[Int(counter & 1023)])
    }

    /// A counter as an input of the mixer.
    @inline(__always)
    func input(_ counter: UInt32) -> Int16 {
        unsafe inputs[Int(counter >> 20)]
    }

    /// The start of a calibration cell: what its class of counters says itself.
    func calibrationStart(_ index: Int) -> UInt32 {
        squash(Int32(truncatingIfNeeded: (index & 63) * 72 + 36 - 2304)) << 16 | 6
    }

    /// Codes a bit by a counter of its own.
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
