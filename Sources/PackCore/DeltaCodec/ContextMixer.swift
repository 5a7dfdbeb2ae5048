/// Predicts a bit from counters of several contexts: each says what it saw, and what counters that saw
/// as much were worth so far; the mixer weighs both.
@safe struct ContextMixer: ~Copyable {
    private let count: Int
    /// The counter of each context, set by the caller before a bit is predicted.
    let cells: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
    private let calibration: UnsafeMutablePointer<UInt32>
    /// Where each context's counter is calibrated; −1 for one that has seen nothing.
    private let places: UnsafeMutablePointer<Int32>
    private var mixer: Mixer

    /// - Parameters:
    ///   - count: how many contexts there are, a multiple of four.
    ///   - sets, rate: those of the mixer.
    init(count: Int, sets: (Int, Int, Int), rate: Int32, _ logistic: borrowing Logistic) {
        self.count = count
        unsafe cells = .allocate(capacity: count)
        unsafe calibration = .allocate(capacity: count << 10)
        for index in 0..<(count << 10) {
            unsafe (calibration + index).initialize(to: logistic.calibrationStart(index & 1023))
        }
        unsafe places = .allocate(capacity: count)
        unsafe places.initialize(repeating: -1, count: count)
        mixer = Mixer(width: 2 * count, sets: sets, weight: 1638, rate: rate)
    }

    deinit {
        unsafe cells.deallocate()
        unsafe calibration.deallocate()
        unsafe places.deallocate()
    }

    /// The probability of a 1, from 1 to 65535.
    @inline(__always)
    mutating func predict(_ first: Int, _ second: Int, _ third: Int, _ logistic: borrowing Logistic)
        -> UInt32
    {
        for index in 0..<count {
            let counter = unsafe cells[index].pointee
            if counter & 1023 == 0 {
                unsafe places[index] = -1
                unsafe mixer.inputs[2 &* index] = 0
                unsafe mixer.inputs[2 &* index &+ 1] = 0
            } else {
                let place = index << 10 &+ logistic.calibrationIndex(counter)
                unsafe places[index] = Int32(truncatingIfNeeded: place)
                unsafe mixer.inputs[2 &* index] = logistic.input(counter)
                unsafe mixer.inputs[2 &* index &+ 1] = logistic.input(calibration[place])
            }
        }
        return max(1, mixer.mix(first, second, third, logistic))
    }

    /// Learns from the bit that came.
    ///
    /// - Parameter limit: how often a counter is seen at most.
    @inline(__always)
    mutating func learn(_ bit: UInt32, limit: UInt32, _ logistic: borrowing Logistic) {
        mixer.learn(bit, logistic)
        for index in 0..<count {
            let place = unsafe Int(places[index])
            if place >= 0 {
                unsafe calibration[place] = logistic.updated(calibration[place], bit, limit: 255)
            }
            let cell = unsafe cells[index]
            unsafe cell.pointee = logistic.updated(cell.pointee, bit, limit: limit)
        }
    }
}
