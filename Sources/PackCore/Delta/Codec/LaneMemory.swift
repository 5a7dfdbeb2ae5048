/// Eight adjacent counters, written one by one and read as a vector.
///
/// They are in memory, because a vector in a register would be stored and read again for each lane
/// set.
@safe struct LaneMemory: ~Copyable {
    private let counters: UnsafeMutablePointer<UInt16>
    private let paces: UnsafeMutablePointer<UInt16>

    init() {
        unsafe counters = Self.allocate()
        unsafe paces = Self.allocate()
    }

    deinit {
        unsafe counters.deallocate()
        unsafe paces.deallocate()
    }

    @unsafe private static func allocate() -> UnsafeMutablePointer<UInt16> {
        let lanes = unsafe UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
            .bindMemory(to: UInt16.self, capacity: 8)
        unsafe lanes.initialize(repeating: 0, count: 8)
        return unsafe lanes
    }

    @inline(__always)
    subscript(lane: Int) -> UInt16 {
        assert(lane >= 0 && lane < 8)
        return unsafe counters[lane]
    }

    /// Sets the lanes of a number of counters; the other lanes are no inputs.
    ///
    /// - Parameter count: 6 or 7.
    /// - Returns: The counters as inputs. They are needed at once, but memory just written in pieces
    ///   must reach the cache before it can be read as a whole.
    @inline(__always)
    func set(
        _ count: Int, _ counter: (Int) -> UInt16, _ logistic: borrowing Logistic
    ) -> WeightTable.Inputs {
        let low =
            set(0, counter(0), logistic) | set(1, counter(1), logistic) << 16
            | set(2, counter(2), logistic) << 32 | set(3, counter(3), logistic) << 48
        var high = set(4, counter(4), logistic) | set(5, counter(5), logistic) << 16
        if count > 6 { high |= set(6, counter(6), logistic) << 32 }
        return unsafe unsafeBitCast(SIMD2(low, high), to: WeightTable.Inputs.self)
    }

    @inline(__always)
    private func set(_ lane: Int, _ counter: UInt16, _ logistic: borrowing Logistic) -> UInt64 {
        assert(lane >= 0 && lane < 8)
        unsafe counters[lane] = counter
        unsafe paces[lane] = logistic.pace(counter)
        return UInt64(UInt16(bitPattern: logistic.input(counter)))
    }

    /// Updates all counters with a coded bit.
    @inline(__always)
    func update(_ bit: UInt32, limit: UInt16) {
        let old = unsafe UnsafeRawPointer(counters).load(as: ShortCounter.Lanes.self)
        let paces = unsafe UnsafeRawPointer(paces).load(as: ShortCounter.Lanes.self)
        unsafe UnsafeMutableRawPointer(counters).storeBytes(
            of: ShortCounter.updated(old, paces, bit, limit: limit), as: ShortCounter.Lanes.self)
    }
}
