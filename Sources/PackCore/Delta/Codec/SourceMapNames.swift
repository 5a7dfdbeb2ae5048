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
        return base.count <= Self.key.count || readOld(base, text)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x41...0x5A: UInt64(byte &- 0x41)
        case 0x61...0x7A: UInt64(byte &- 0x61 &+ 26)
        case 0x30...0x39: UInt64(byte &- 0x30 &+ 52)
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

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

    private mutating func readOld(_ base: Range<Int>, _ text: borrowing TextBuffer) -> Bool {
        var position = base.lowerBound &+ Self.key.count
        while position <= base.upperBound,
            text[position &- 1] != 0x22 || text[position &- 2] != 0x3A
                || !Self.isKey(endingAt: position, text)
        {
            position &+= 1
        }
        guard position <= base.upperBound else { return true }
        // Counts first, then stores: a growing table takes up to three times its content.
        var count = 0
        var most = -1
        let end = Self.forEachField(position..<base.upperBound, text) { _, number in
            count &+= 1
            most = max(most, number)
        }
        guard count <= mostFields else { return false }
        fields = max(fields, count)
        positions.reserveCapacity(count)
        numbers.reserveCapacity(count)
        _ = Self.forEachField(position..<base.upperBound, text) { start, number in
            positions.append(Int32(truncatingIfNeeded: start))
            numbers.append(Int32(truncatingIfNeeded: number))
        }
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
    private static func forEachField(
        _ mappings: Range<Int>, _ text: borrowing TextBuffer, _ body: (Int, Int) -> Void
    ) -> Int {
        var position = mappings.lowerBound
        var field = 0
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var number = 0
        var fieldStart = position
        while position < mappings.upperBound, text[position] != 0x22 {
            let byte = text[position]
            position &+= 1
            guard let digit = digit(byte) else {
                field = 0
                value = 0
                shift = 0
                fieldStart = position
                continue
            }
            if shift < 50 { value |= (digit & 31) << shift }
            shift &+= 5
            if digit & 32 != 0 { continue }
            if field == 4 {
                number &+= signed(value)
                guard number >= 0, number < mostNames else { break }
                body(fieldStart, number)
            }
            field &+= 1
            value = 0
            shift = 0
            fieldStart = position
        }
        return position
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
        let distance = cursor < positions.count ? position &- Int(positions[cursor]) : -1
        if distance == 0 { return }
        if distance > 0, distance < 64 {
            while cursor < positions.count, Int(positions[cursor]) < position { cursor &+= 1 }
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
            let digit = Self.digit(text[position &+ length &- 1]), digit & 32 != 0
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

    /// Updates the state with a byte of the new text, written before `end`.
    ///
    /// - Parameter position: The aligned position of the byte; 0 for none.
    mutating func note(
        _ byte: UInt8, endingAt end: Int, aligned position: Int, _ text: borrowing TextBuffer
    ) {
        guard isInside else {
            if byte == 0x22, !range.isEmpty, text[end &- 2] == 0x3A, Self.isKey(endingAt: end, text)
            {
                isInside = true
                field = 0
                value = 0
                shift = 0
                number = 0
            }
            return
        }
        guard let digit = Self.digit(byte) else {
            if byte == 0x22 { isInside = false }
            field = 0
            value = 0
            shift = 0
            return
        }
        if field == 4, shift == 0 {
            pending = isField(position) ? Int(numbers[cursor]) : -1
        }
        if shift < 50 { value |= (digit & 31) << shift }
        shift = min(shift &+ 5, 60)
        if digit & 32 != 0 { return }
        if field == 4 {
            number &+= Self.signed(value)
            if pending >= 0, number >= 0, number < Self.mostNames {
                became[slot(pending)] = Int32(truncatingIfNeeded: number)
                lastChange = number &- pending
            }
        }
        field &+= 1
        value = 0
        shift = 0
    }
}
