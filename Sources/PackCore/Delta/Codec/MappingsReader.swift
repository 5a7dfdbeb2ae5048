/// Reads the `mappings` of source maps: base64 VLQ numbers in segments (docs/sources.md#ecma-426).
@safe struct MappingsReader: ~Copyable {
    static let key = Array("\"mappings\":\"".utf8)
    /// Larger numbers are ignored: no real map has them.
    static let mostNames = 1 << 24

    /// The value of a digit; 64 for other bytes.
    @inline(__always)
    func digit(_ byte: UInt8) -> UInt64 { UInt64(values[Int(byte)]) }

    /// The values of all bytes.
    private let values = {
        let values = Cells<UInt8>(bits: 8, repeating: 64)
        for (value, byte) in digits.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func isKey(endingAt end: Int, _ text: borrowing TextBuffer) -> Bool {
        for (index, byte) in key.enumerated()
        where text[end &- key.count &+ index] != byte {
            return false
        }
        let before = text[end &- key.count &- 1]
        return before == 0x7B || before == 0x2C
    }

    /// The first end of a key in a range; a position after it if there is none.
    static func endOfKey(
        from start: Int, through end: Int, _ text: borrowing TextBuffer
    ) -> Int {
        var position = start
        while true {
            position = text.firstPosition(from: position, through: end, after: 0x3A, 0x22)
            if position > end || isKey(endingAt: position, text) { return position }
            position &+= 1
        }
    }

    /// Calls `body` with each field that has a name: its position, and the number after it.
    ///
    /// - Returns: The end of the mappings.
    func forEachField(
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

    static func signed(_ value: UInt64) -> Int {
        let size = Int(truncatingIfNeeded: value >> 1)
        return value & 1 == 0 ? size : 0 &- size
    }
}
