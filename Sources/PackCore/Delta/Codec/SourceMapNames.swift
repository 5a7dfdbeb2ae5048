/// Predicts the numbers in source maps that refer to entries of `names` (docs/sources.md#ecma-426).
///
/// They are written as differences in each segment of `mappings` ("Mappings structure"), so one
/// added or removed name changes thousands of them. Both texts are decoded in parallel, and for
/// each old number, its new number is stored.
@safe struct SourceMapNames: ~Copyable {
    private static let key = Array("\"mappings\":\"".utf8)
    /// Larger numbers are ignored: no real map has them.
    private static let mostNames = 1 << 24

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
        return base.count <= Self.key.count || readOld(base, text)
    }

    /// The value of a digit; 64 for other bytes.
    @inline(__always)
    private func digit(_ byte: UInt8) -> UInt64 { UInt64(values[Int(byte)]) }

    /// The values of all bytes.
    private let values = {
        let values = Cells<UInt8>(bits: 8, repeating: 64)
        for (value, byte) in digits.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func isKey(endingAt end: Int, _ text: borrowing TextBuffer) -> Bool {
        for (index, byte) in key.enumerated()
        where text[end &- key.count &+ index] != byte {
            return false
        }
        let before = text[end &- key.count &- 1]
        return before == 0x7B || before == 0x2C
    }

    /// The first end of a key in a range; a position after it if there is none.
    private static func endOfKey(
        from start: Int, through end: Int, _ text: borrowing TextBuffer
    ) -> Int {
        var position = start
        while true {
            position = text.firstPosition(from: position, through: end, after: 0x3A, 0x22)
            if position > end || isKey(endingAt: position, text) { return position }
            position &+= 1
        }
    }

    private mutating func readOld(_ base: Range<Int>, _ text: borrowing TextBuffer) -> Bool {
        let position = Self.endOfKey(
            from: base.lowerBound &+ Self.key.count, through: base.upperBound, text)
        guard position <= base.upperBound else { return true }
        // Counts first, then stores: a growing table takes up to three times its content.
        var count = 0
        var most = -1
        let end = forEachField(position..<base.upperBound, text) { _, number in
            count &+= 1
            most = max(most, number)
        }
        guard count <= mostFields else { return false }
        fields = max(fields, count)
        var (positions, numbers) = ([Int32](), [Int32]())
        positions.reserveCapacity(count)
        numbers.reserveCapacity(count)
        _ = forEachField(position..<end, text) { start, number in
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

    /// Calls `body` with each field that has a name: its position, and the number after it.
    ///
    /// - Returns: The end of the mappings.
    private func forEachField(
        _ mappings: Range<Int>, _ text: borrowing TextBuffer, _ body: (Int, Int) -> Void
    ) -> Int {
        let end = mappings.upperBound
        var position = mappings.lowerBound
        var number = 0
        while position < end {
            // The last segment of a block, which may be cut, begins the next one.
            let block = position
            var (ends, others) = text.numberMarks(from: block)
            if end &- block < 64 { others |= .max &<< UInt64(truncatingIfNeeded: end &- block) }
            repeat {
                let segment: (fifth: Range<Int>, end: Int)
                if others == 0 {
                    segment = longSegment(position..<end, in: text)
                } else {
                    let length = others.trailingZeroBitCount
                    others &= others &- 1
                    let own = ends & (1 &<< UInt64(truncatingIfNeeded: length) &- 1)
                    ends ^= own
                    segment = (Self.fifth(own, from: block), block &+ length)
                }
                if !segment.fifth.isEmpty {
                    number &+= value(segment.fifth, text)
                    guard number >= 0, number < Self.mostNames else {
                        return segment.fifth.upperBound
                    }
                    body(segment.fifth.lowerBound, number)
                }
                if segment.end == end || text[segment.end] == 0x22 { return segment.end }
                position = segment.end &+ 1
            } while others != 0
        }
        return end
    }

    /// The range of the fifth number of a segment, from the marks of their last bytes; empty if there
    /// is none.
    @inline(__always)
    private static func fifth(_ ends: UInt64, from block: Int) -> Range<Int> {
        let withoutOne = ends & (ends &- 1)
        let withoutTwo = withoutOne & (withoutOne &- 1)
        let fromFourth = withoutTwo & (withoutTwo &- 1)
        let fromFifth = fromFourth & (fromFourth &- 1)
        if fromFifth == 0 { return 0..<0 }
        let start = block &+ fromFourth.trailingZeroBitCount &+ 1
        return start..<(block &+ fromFifth.trailingZeroBitCount &+ 1)
    }

    /// The fifth number and the end of a segment longer than any of a real map.
    private func longSegment(
        _ text: Range<Int>, in buffer: borrowing TextBuffer
    ) -> (fifth: Range<Int>, end: Int) {
        var fifth = 0..<0
        var count = 0
        var start = text.lowerBound
        var position = start
        while position < text.upperBound {
            let digit = digit(buffer[position])
            if digit == 64 { break }
            position &+= 1
            if digit & 32 != 0 { continue }
            count &+= 1
            if count == 5 { fifth = start..<position }
            start = position
        }
        return (fifth, position)
    }

    /// The value of a base64 VLQ number.
    @inline(__always)
    private func value(_ number: Range<Int>, _ text: borrowing TextBuffer) -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for position in number where shift < 50 {
            value |= (digit(text[position]) & 31) &<< shift
            shift &+= 5
        }
        return Self.signed(value)
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

    private static func signed(_ value: UInt64) -> Int {
        let size = Int(truncatingIfNeeded: value >> 1)
        return value & 1 == 0 ? size : 0 &- size
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
        guard isField(position), field == 4, shift == 0 else { return nil }
        let old = Int(numbers[cursor])
        let known = became[slot(old)]
        let new = known >= 0 ? Int(known) : old &+ lastChange
        var length = 1
        while position &+ length < range.upperBound, length < 8,
            digit(text[position &+ length &- 1]) & 32 != 0
        {
            length &+= 1
        }
        let difference = new &- number
        var rest = UInt64(difference.magnitude) << 1 | (difference < 0 ? 1 : 0)
        var prediction = Prediction(oldLength: length, bytes: 0, length: 0)
        repeat {
            let digit = rest & 31 | (rest > 31 ? 32 : 0)
            prediction.bytes |=
                UInt64(Self.digits[Int(digit)]) << UInt64(8 &* prediction.length)
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
                    next = Self.endOfKey(from: next &+ 1, through: end, text)
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
        field = 4
        value = 0
        shift = 0
        return true
    }

    /// Notes that the bytes so far are a whole number, whose old text ends at a position.
    mutating func noteNumberEnd(_ position: Int, _ text: borrowing TextBuffer) {
        let isComplete = digit(text[position &- 1]) & 32 == 0 && field == 5 && shift == 0
        inStep = isInside && isComplete ? position : 0
    }

    private mutating func endNumber(_ difference: Int) {
        number &+= difference
        if pending >= 0, number >= 0, number < Self.mostNames {
            became[slot(pending)] = Int32(truncatingIfNeeded: number)
            lastChange = number &- pending
        }
    }

    private mutating func beginMappings() {
        isInside = true
        field = 0
        value = 0
        shift = 0
        number = 0
    }

    /// Updates the state with a byte of the new text, written before `end`.
    ///
    /// - Parameter position: The aligned position of the byte; 0 for none.
    mutating func note(
        _ byte: UInt8, endingAt end: Int, aligned position: Int, _ text: borrowing TextBuffer
    ) {
        guard isInside else {
            if byte == 0x22, !range.isEmpty, text[end &- 2] == 0x3A, Self.isKey(endingAt: end, text)
            {
                beginMappings()
            }
            return
        }
        inStep = 0
        let digit = digit(byte)
        if digit == 64 {
            if byte == 0x22 { isInside = false }
            field = 0
            value = 0
            shift = 0
            return
        }
        if isAtNumber {
            pending = isField(position) ? Int(numbers[cursor]) : -1
        }
        if shift < 50 { value |= (digit & 31) << shift }
        shift = min(shift &+ 5, 60)
        if digit & 32 != 0 { return }
        if field == 4 {
            endNumber(Self.signed(value))
        }
        field &+= 1
        value = 0
        shift = 0
    }
}
