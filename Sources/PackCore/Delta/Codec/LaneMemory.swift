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

    /// Sets four lanes.
    ///
    /// - Returns: The counters, 16 bits each, the first one lowest. They are needed at once, but
    ///   memory just written in pieces must reach the cache before it can be read as a whole.
    @inline(__always)
    func set(
        from lane: Int, _ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16,
        _ logistic: borrowing Logistic
    ) -> UInt64 {
        set(lane, a, logistic) | set(lane &+ 1, b, logistic) << 16
            | set(lane &+ 2, c, logistic) << 32 | set(lane &+ 3, d, logistic) << 48
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
