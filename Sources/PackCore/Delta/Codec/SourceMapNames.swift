/// Predicts the numbers in source maps that refer to entries of `names` (docs/sources.md#ecma-426).
///
/// They are written as differences in each segment of `mappings` ("Mappings structure"), so one
/// added or removed name changes thousands of them. Both texts are decoded in parallel, and for
/// each old number, its new number is stored.
@safe struct SourceMapNames: ~Copyable {
    private let reader = MappingsReader()

    /// The old mappings in the text; empty if the file has none.
    private(set) var range = 0..<0
    /// The positions of the fields with names in the old text, and their entries.
    private var positions: [Int32] = []
    private var numbers: [Int32] = []
    private var cursor = 0
    /// The old numbers in use, sorted; empty if a table of all numbers up to the largest is not
    /// larger.
    private var known: [Int32] = []
    /// The new number of each old one, or of each in `known`; −1 for numbers not seen yet.
    private var became: [Int32] = []
    private var lastChange = 0
    private let mostFields: Int
    /// The largest number of fields in any file's base.
    private(set) var fields = 0

    // State in the new text.
    private var isInside = false
    private var field = 0
    private var value: UInt64 = 0
    private var shift: UInt64 = 0
    private var number = 0
    /// The old number at the start of the current field; −1 for none.
    private var pending = -1
    /// The old position whose fields are counted as in the new text; 0 for none.
    private var inStep = 0

    /// A predicted field.
    struct Prediction {
        var oldLength: Int
        /// The new text, the first byte lowest.
        var bytes: UInt64
        var length: Int
    }

    /// The largest memory of a field of the base in bytes: a position, a number, its new number,
    /// and the index of that.
    static let memoryOfField = 16
    /// The number of fields included in the declared memory of every stream.
    static let freeFields = 1 << 18

    /// The additional memory for a number of fields.
    static func memory(fields: Int) -> Int { max(0, fields - freeFields) * memoryOfField }

    /// The number of fields that fit into additional memory.
    static func mostFields(room: Int) -> Int { freeFields + max(0, room) / memoryOfField }

    /// Creates the state of a stream.
    ///
    /// - Parameter mostFields: The largest number of fields in a base.
    init(mostFields: Int) { self.mostFields = mostFields }

    /// Starts a file; `base` is the old file in the text, empty for none or if it is not a source
    /// map.
    ///
    /// - Returns: `false` if the base has too many fields for the memory.
    mutating func beginFile(_ base: Range<Int>, _ text: borrowing TextBuffer) -> Bool {
        range = 0..<0
        positions = []
        numbers = []
        known = []
        became = []
        cursor = 0
        lastChange = 0
        isInside = false
        pending = -1
        inStep = 0
        return base.count <= MappingsReader.key.count || readOld(base, text)
    }

    private mutating func readOld(_ base: Range<Int>, _ text: borrowing TextBuffer) -> Bool {
        let position = MappingsReader.endOfKey(
            from: base.lowerBound &+ MappingsReader.key.count, through: base.upperBound, text)
        guard position <= base.upperBound else { return true }
        // Counts first, then stores: a growing table takes up to three times its content.
        var count = 0
        var most = -1
        let end = reader.forEachField(position..<base.upperBound, text) { _, number in
            count &+= 1
            most = max(most, number)
        }
        guard count <= mostFields else { return false }
        fields = max(fields, count)
        var (positions, numbers) = ([Int32](), [Int32]())
        positions.reserveCapacity(count)
        numbers.reserveCapacity(count)
        _ = reader.forEachField(position..<end, text) { start, number in
            positions.append(Int32(truncatingIfNeeded: start))
            numbers.append(Int32(truncatingIfNeeded: number))
        }
        self.positions = positions
        self.numbers = numbers
        range = position..<end
        if most >= count {
            // There are few numbers far apart.
            known = numbers
            known.sort()
            var kept = 0
            for index in known.indices where kept == 0 || known[kept - 1] != known[index] {
                known[kept] = known[index]
                kept += 1
            }
            known.removeLast(known.count - kept)
            became = [Int32](repeating: -1, count: kept)
        } else {
            became = [Int32](repeating: -1, count: most + 1)
        }
        return true
    }

    /// The index of an old number's new number.
    private func slot(_ number: Int) -> Int {
        if known.isEmpty { return number }
        var low = 0
        var high = known.count - 1
        while low < high {
            let middle = (low &+ high) / 2
            if Int(known[middle]) < number { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Moves the cursor to the first field at or after a position.
    @inline(__always)
    private mutating func seek(_ position: Int) {
        if positions.isEmpty { return }
        let distance = position &- Int(positions[min(cursor, positions.count &- 1)])
        if abs(distance) < 64 {
            while cursor < positions.count, Int(positions[cursor]) < position { cursor &+= 1 }
            while cursor > 0, Int(positions[cursor &- 1]) >= position { cursor &-= 1 }
            return
        }
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low &+ high) / 2
            if Int(positions[middle]) < position { low = middle &+ 1 } else { high = middle }
        }
        cursor = low
    }

    /// Whether a field with a name starts at a position of the old text.
    @inline(__always)
    mutating func isField(_ position: Int) -> Bool {
        guard isInside, range.contains(position) else { return false }
        seek(position)
        return cursor < positions.count && Int(positions[cursor]) == position
    }

    /// The expected replacement of the field at a position of the old text.
    ///
    /// `nil` if the new text is not at the start of such a field.
    mutating func predict(_ position: Int, _ text: borrowing TextBuffer) -> Prediction? {
        guard isField(position), isAtNumber else { return nil }
        let old = Int(numbers[cursor])
        let known = became[slot(old)]
        let new = known >= 0 ? Int(known) : old &+ lastChange
        var length = 1
        while position &+ length < range.upperBound, length < 8,
            reader.digit(text[position &+ length &- 1]) & 32 != 0
        {
            length &+= 1
        }
        let difference = new &- number
        var rest = UInt64(difference.magnitude) << 1 | (difference < 0 ? 1 : 0)
        var prediction = Prediction(oldLength: length, bytes: 0, length: 0)
        repeat {
            let digit = rest & 31 | (rest > 31 ? 32 : 0)
            prediction.bytes |=
                UInt64(MappingsReader.digits[Int(digit)]) << UInt64(8 &* prediction.length)
            prediction.length &+= 1
            rest >>= 5
        } while rest > 0 && prediction.length < 8
        return prediction
    }

    /// The first field with a name from a position of the old mappings on; their end if there is
    /// none, or if the new text is not inside its mappings.
    mutating func nextField(_ position: Int) -> Int {
        guard isInside else { return range.upperBound }
        seek(position)
        return cursor < positions.count ? Int(positions[cursor]) : range.upperBound
    }

    /// Updates the state with bytes of the new text copied from a position of the old one.
    mutating func noteCopy(
        _ length: Int, to start: Int, from position: Int, _ text: borrowing TextBuffer
    ) {
        // Without numbers, nothing depends on the state.
        if positions.isEmpty { return }
        let isInStep = isInside && (inStep == position || isAtNumber && isField(position))
        if !isInStep || !copyField(length, from: position) {
            let end = start &+ length
            var next = start
            while next < end {
                if isInside {
                    note(text[next], endingAt: next &+ 1, aligned: position &+ next &- start, text)
                    next &+= 1
                } else {
                    next = MappingsReader.endOfKey(from: next &+ 1, through: end, text)
                    if next <= end { beginMappings() }
                }
            }
        }
        inStep = isInStep && position &+ length <= range.upperBound ? position &+ length : 0
    }

    /// Whether the new text is at the start of a field that may have a name.
    private var isAtNumber: Bool { field == 4 && shift == 0 }

    /// Updates the state with bytes that end before a field with a name, and contain at most one,
    /// from their start on.
    ///
    /// - Returns: `false` for other bytes.
    private mutating func copyField(_ length: Int, from position: Int) -> Bool {
        if field == 4, shift > 0 { return false }
        seek(position)
        let isField = cursor < positions.count && Int(positions[cursor]) == position
        let next = isField ? cursor &+ 1 : cursor
        guard next < positions.count, Int(positions[next]) == position &+ length else {
            return false
        }
        if isField {
            pending = Int(numbers[cursor])
            endNumber(pending &- (cursor > 0 ? Int(numbers[cursor &- 1]) : 0))
        }
        cursor = next
        begin(field: 4)
        return true
    }

    /// Notes that the bytes so far are a whole number, whose old text ends at a position.
    mutating func noteNumberEnd(_ position: Int, _ text: borrowing TextBuffer) {
        let isComplete = reader.digit(text[position &- 1]) & 32 == 0 && field == 5 && shift == 0
        inStep = isInside && isComplete ? position : 0
    }

    private mutating func endNumber(_ difference: Int) {
        number &+= difference
        if pending >= 0, number >= 0, number < MappingsReader.mostNames {
            became[slot(pending)] = Int32(truncatingIfNeeded: number)
            lastChange = number &- pending
        }
    }

    private mutating func beginMappings() {
        isInside = true
        begin(field: 0)
        number = 0
    }

    private mutating func begin(field: Int) {
        self.field = field
        value = 0
        shift = 0
    }

    /// Updates the state with a byte of the new text, written before `end`.
    ///
    /// - Parameter position: The aligned position of the byte; 0 for none.
    mutating func note(
        _ byte: UInt8, endingAt end: Int, aligned position: Int, _ text: borrowing TextBuffer
    ) {
        guard isInside else {
            if byte == 0x22, !range.isEmpty, text[end &- 2] == 0x3A,
                MappingsReader.isKey(endingAt: end, text)
            {
                beginMappings()
            }
            return
        }
        inStep = 0
        let digit = reader.digit(byte)
        if digit == 64 {
            if byte == 0x22 { isInside = false }
            return begin(field: 0)
        }
        if isAtNumber {
            pending = isField(position) ? Int(numbers[cursor]) : -1
        }
        if shift < 50 { value |= (digit & 31) << shift }
        shift = min(shift &+ 5, 60)
        if digit & 32 != 0 { return }
        if field == 4 {
            endNumber(MappingsReader.signed(value))
        }
        begin(field: field &+ 1)
    }
}
