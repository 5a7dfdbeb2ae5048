/// Predicts a bit from counters of several contexts.
///
/// Each says what it saw, and what counters that saw as much were worth so far. Two sets of weights,
/// each chosen by a context of its own, say what they think of all that; their average counts.
@safe struct ContextMixer: ~Copyable {
    private typealias Lanes = SIMD8<UInt32>

    /// How many contexts there are.
    static var count: Int { 8 }
    /// How often a calibration is seen at most.
    private static var calibrationLimit: UInt32 { 255 }

    /// The counter of each context, set by the caller before a bit is predicted; no two are the same.
    let cells: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
    private let calibration: UnsafeMutablePointer<UInt32>
    /// Where each context's counter is calibrated.
    private let places: UnsafeMutablePointer<Int32>
    /// What the counters and their calibrations were when the bit was predicted, how far they move, and
    /// which of them count: all ones for each counter that has seen something, else 0.
    private let values: UnsafeMutablePointer<UInt32>
    private let paces: UnsafeMutablePointer<UInt32>
    private let masks: UnsafeMutablePointer<UInt32>
    /// What the counters say, and what they are worth.
    private let inputs: UnsafeMutablePointer<WeightTable.Inputs>
    private let weights: WeightTable
    private let secondSets: Int
    private let rate: Int32
    private var selected = (0, 0)
    private var sums: (Int32, Int32) = (0, 0)

    /// - Parameters:
    ///   - sets: how many sets of weights there are to choose from by each of the two contexts.
    ///   - rate: how fast weights learn.
    init(sets: (Int, Int), rate: Int32, _ logistic: borrowing Logistic) {
        let count = Self.count
        unsafe cells = .allocate(capacity: count)
        unsafe calibration = .allocate(capacity: count << 10)
        for index in 0..<(count << 10) {
            unsafe (calibration + index).initialize(to: logistic.calibrationStart(index & 1023))
        }
        unsafe places = .allocate(capacity: count)
        unsafe places.initialize(repeating: 0, count: count)
        unsafe values = Self.lanes(2)
        unsafe paces = Self.lanes(2)
        unsafe masks = Self.lanes(1)
        unsafe inputs = .allocate(capacity: 2)
        unsafe inputs.initialize(repeating: WeightTable.Inputs(), count: 2)
        weights = WeightTable(count: 2 * (sets.0 + sets.1), weight: 1638)
        secondSets = 2 * sets.0
        self.rate = rate
    }

    @unsafe private static func lanes(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        let lanes = UnsafeMutablePointer<Lanes>.allocate(capacity: count)
        unsafe lanes.initialize(repeating: Lanes(), count: count)
        return unsafe UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: UInt32.self)
    }

    deinit {
        unsafe cells.deallocate()
        unsafe calibration.deallocate()
        unsafe places.deallocate()
        unsafe values.deallocate()
        unsafe paces.deallocate()
        unsafe masks.deallocate()
        unsafe inputs.deallocate()
    }

    /// The probability of a 1, from 1 to 65535.
    @inline(__always)
    mutating func predict(_ first: Int, _ second: Int, _ logistic: borrowing Logistic) -> UInt32 {
        // Lane by lane in memory: a vector in a register would be stored and read again for each.
        let lanes = unsafe UnsafeMutableRawPointer(inputs).assumingMemoryBound(to: Int16.self)
        for index in 0..<Self.count {
            let counter = unsafe cells[index].pointee
            let place = index << 10 &+ logistic.calibrationIndex(counter)
            let calibrated = unsafe calibration[place]
            // Without a branch: it would have to wait for the counter, and all behind it with it.
            let mask: UInt32 = counter & 1023 == 0 ? 0 : .max
            unsafe places[index] = Int32(truncatingIfNeeded: place)
            unsafe masks[index] = mask
            unsafe values[index] = counter
            unsafe values[Self.count &+ index] = calibrated
            unsafe paces[index] = logistic.pace(counter)
            unsafe paces[Self.count &+ index] = logistic.pace(calibrated)
            // A counter that has seen nothing is one half, which is 0 here.
            unsafe lanes[index] = logistic.input(counter)
            unsafe lanes[Self.count &+ index] =
                logistic.input(calibrated) & Int16(truncatingIfNeeded: mask)
        }
        selected = (2 &* first, secondSets &+ 2 &* second)
        sums = (sum(selected.0), sum(selected.1))
        return logistic.squash((sums.0 &+ sums.1) / 2)
    }

    @inline(__always)
    private func sum(_ place: Int) -> Int32 {
        WeightTable.rounded(
            unsafe weights.sum(inputs[0], place) &+ weights.sum(inputs[1], place &+ 1))
    }

    /// Learns from the bit that came.
    ///
    /// - Parameter limit: how often a counter is seen at most.
    @inline(__always)
    mutating func learn(_ bit: UInt32, limit: UInt32, _ logistic: borrowing Logistic) {
        adjust(selected.0, sums.0, bit, logistic)
        adjust(selected.1, sums.1, bit, logistic)
        unsafe update(0, bit, limit)
        unsafe update(1, bit, Self.calibrationLimit)
        for index in 0..<Self.count {
            unsafe cells[index].pointee = values[index]
            unsafe calibration[Int(places[index])] = values[Self.count &+ index]
        }
    }

    @inline(__always)
    private func adjust(
        _ place: Int, _ sum: Int32, _ bit: UInt32, _ logistic: borrowing Logistic
    ) {
        let step = WeightTable.step(sum, bit, rate: rate, logistic)
        unsafe weights.adjust(inputs[0], place, by: step)
        unsafe weights.adjust(inputs[1], place &+ 1, by: step)
    }

    @inline(__always)
    @unsafe private func update(_ half: Int, _ bit: UInt32, _ limit: UInt32) {
        let values = unsafe UnsafeMutableRawPointer(self.values + half &* Self.count)
            .assumingMemoryBound(to: Lanes.self)
        let pace = unsafe UnsafeMutableRawPointer(self.paces + half &* Self.count)
            .assumingMemoryBound(to: Lanes.self).pointee
        let old = unsafe values.pointee
        let new = Logistic.updated(old, pace, Lanes(repeating: bit), limit: limit)
        if half == 0 {
            unsafe values.pointee = new
        } else {
            let mask = unsafe UnsafeMutableRawPointer(masks)
                .assumingMemoryBound(to: Lanes.self).pointee
            unsafe values.pointee = old ^ (old ^ new) & mask
        }
    }
}
