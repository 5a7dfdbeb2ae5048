/// Eight adjacent counters, written one by one and read as a vector.
///
/// They are in memory, because a vector in a register would be stored and read again for each lane
/// set.
@safe struct LaneMemory: ~Copyable {
    /// The counters, their steps, the mirror for a 0 and that for a 1: eight numbers each.
    ///
    /// Mirrors are read from memory, because the compiler splits vectors that it can fill itself.
    private let memory: UnsafeMutablePointer<UInt16>
    private static let paces = 8
    private static let mirrors = 16

    init() {
        unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
            .bindMemory(to: UInt16.self, capacity: 32)
        for index in 0..<32 {
            unsafe (memory + index).initialize(to: index < 24 ? 0 : ShortCounter.probability)
        }
    }

    deinit { unsafe UnsafeMutableRawPointer(memory).deallocate() }

    @inline(__always)
    subscript(lane: Int) -> UInt16 {
        assert(lane >= 0 && lane < 8)
        return unsafe memory[lane]
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
        unsafe memory[lane] = counter
        unsafe memory[Self.paces &+ lane] = logistic.pace(counter)
        return UInt64(UInt16(bitPattern: logistic.input(counter)))
    }

    /// Updates all counters with a coded bit.
    @inline(__always)
    func update(_ bit: UInt32, limit: UInt16) {
        let mirror = unsafe lanes(Self.mirrors &+ Int(bit & 1) &<< 3)
        let updated = unsafe ShortCounter.updated(
            lanes(0), lanes(Self.paces), mirror: mirror, limit: limit)
        unsafe UnsafeMutableRawPointer(memory).storeBytes(of: updated, as: ShortCounter.Lanes.self)
    }

    @inline(__always)
    @unsafe private func lanes(_ start: Int) -> ShortCounter.Lanes {
        unsafe UnsafeRawPointer(memory + start).load(as: ShortCounter.Lanes.self)
    }
}
