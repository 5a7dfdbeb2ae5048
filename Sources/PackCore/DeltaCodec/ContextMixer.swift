/// Predicts a bit from counters of several contexts: each says what it saw, and what counters that saw
/// as much were worth so far; the mixer weighs both.
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
    private var mixer: Mixer

    /// - Parameter sets, rate: those of the mixer.
    init(sets: (Int, Int, Int), rate: Int32, _ logistic: borrowing Logistic) {
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
        mixer = Mixer(sets: sets, weight: 1638, rate: rate)
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
    }

    /// The probability of a 1, from 1 to 65535.
    @inline(__always)
    mutating func predict(_ first: Int, _ second: Int, _ third: Int, _ logistic: borrowing Logistic)
        -> UInt32
    {
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
            let mask16 = Int16(truncatingIfNeeded: mask)
            unsafe mixer.inputs[2 &* index] = logistic.input(counter) & mask16
            unsafe mixer.inputs[2 &* index &+ 1] = logistic.input(calibrated) & mask16
        }
        return max(1, mixer.mix(first, second, third, logistic))
    }

    /// Learns from the bit that came.
    ///
    /// - Parameter limit: how often a counter is seen at most.
    @inline(__always)
    mutating func learn(_ bit: UInt32, limit: UInt32, _ logistic: borrowing Logistic) {
        mixer.learn(bit, logistic)
        unsafe update(0, bit, limit)
        unsafe update(1, bit, Self.calibrationLimit)
        for index in 0..<Self.count {
            unsafe cells[index].pointee = values[index]
            unsafe calibration[Int(places[index])] = values[Self.count &+ index]
        }
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
