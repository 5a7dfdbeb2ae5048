/// Eight counters side by side: written one by one, taken as a vector.
///
/// In memory, since a vector in a register would be stored and read again for each lane that is set.
@safe struct LaneMemory: ~Copyable {
    private let counters: UnsafeMutablePointer<UInt16>
    private let paces: UnsafeMutablePointer<UInt16>
    private let values: UnsafeMutablePointer<Int16>

    init() {
        unsafe counters = Self.allocate(UInt16.self)
        unsafe paces = Self.allocate(UInt16.self)
        unsafe values = Self.allocate(Int16.self)
    }

    deinit {
        unsafe counters.deallocate()
        unsafe paces.deallocate()
        unsafe values.deallocate()
    }

    @unsafe private static func allocate<Lane: FixedWidthInteger & SIMDScalar>(
        _ type: Lane.Type
    ) -> UnsafeMutablePointer<Lane> {
        let lanes = unsafe UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
            .bindMemory(to: Lane.self, capacity: 8)
        unsafe lanes.initialize(repeating: 0, count: 8)
        return unsafe lanes
    }

    @inline(__always)
    subscript(lane: Int) -> UInt16 {
        assert(lane >= 0 && lane < 8)
        return unsafe counters[lane]
    }

    /// Sets a lane.
    @inline(__always)
    func set(_ lane: Int, _ counter: UInt16, _ logistic: borrowing Logistic) {
        assert(lane >= 0 && lane < 8)
        unsafe counters[lane] = counter
        unsafe paces[lane] = logistic.pace(counter)
        unsafe values[lane] = logistic.input(counter)
    }

    /// What the counters say.
    @inline(__always)
    var inputs: WeightTable.Inputs {
        unsafe UnsafeRawPointer(values).load(as: WeightTable.Inputs.self)
    }

    /// Moves all counters by a bit that came.
    @inline(__always)
    func update(_ bit: UInt32, limit: UInt16) {
        let old = unsafe UnsafeRawPointer(counters).load(as: ShortCounter.Lanes.self)
        let paces = unsafe UnsafeRawPointer(paces).load(as: ShortCounter.Lanes.self)
        unsafe UnsafeMutableRawPointer(counters).storeBytes(
            of: ShortCounter.updated(old, paces, bit, limit: limit), as: ShortCounter.Lanes.self)
    }
}
