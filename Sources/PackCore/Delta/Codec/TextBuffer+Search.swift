/// Comparisons and searches in the text, eight or sixteen bytes at a time.
extension TextBuffer {
    /// Eight bytes from a position, the first one lowest.
    @inline(__always)
    func word(at position: Int) -> UInt64 {
        precondition(UInt(bitPattern: position) <= UInt(bitPattern: count &- 8))
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
    }

    /// Whether two ranges of the text are equal.
    ///
    /// May read up to seven bytes after them.
    @inline(__always)
    func isEqual(_ a: Int, _ b: Int, _ length: Int) -> Bool {
        var offset = 0
        while length &- offset >= 8 {
            if word(at: a &+ offset) != word(at: b &+ offset) { return false }
            offset &+= 8
        }
        if offset == length { return true }
        let rest = UInt64(truncatingIfNeeded: 8 &* (8 &- (length &- offset)))
        return (word(at: a &+ offset) ^ word(at: b &+ offset)) &<< rest == 0
    }

    /// The number of equal bytes before two positions, at most `limit`, a multiple of eight.
    ///
    /// Zeros before the text end the comparison.
    @inline(__always)
    func agreement(before a: Int, _ b: Int, limit: Int) -> Int {
        let reach = min(limit, min(a, b))
        var length = 0
        while length &+ 8 <= reach {
            let difference = word(at: a &- 8 &- length) ^ word(at: b &- 8 &- length)
            if difference != 0 { return length &+ difference.leadingZeroBitCount >> 3 }
            length &+= 8
        }
        while length < reach, self[a &- 1 &- length] == self[b &- 1 &- length] { length &+= 1 }
        return length
    }

    /// The number of token bytes from a position, not beyond `end`.
    @inline(__always)
    func tokenLength(_ start: Int, before end: Int) -> Int {
        var position = start
        while position < end {
            let others = ~ByteClass.tokens(in: word(at: position)) & ByteClass.highBits
            if others != 0 {
                position &+= others.trailingZeroBitCount >> 3
                break
            }
            position &+= 8
        }
        return max(0, min(position, end) &- start)
    }

    /// Marks the token bytes, and the bytes allowed before a content hash in a name, among 64 bytes
    /// from a position, the first one in the lowest bit.
    @inline(__always)
    func marks(from position: Int) -> (tokens: UInt64, separators: UInt64) {
        marks(from: position, by: ByteClass.marks)
    }

    /// Marks the last bytes of base64 VLQ numbers, and the bytes that are no digits of them, among 64
    /// bytes from a position, the first one in the lowest bit.
    @inline(__always)
    func numberMarks(from position: Int) -> (ends: UInt64, others: UInt64) {
        marks(from: position, by: ByteClass.numberMarks)
    }

    @inline(__always)
    private func marks(
        from position: Int,
        by marks: (ByteClass.Bytes, Int8) -> (ByteClass.Bytes, ByteClass.Bytes)
    ) -> (UInt64, UInt64) {
        precondition(UInt(bitPattern: position) <= UInt(bitPattern: count &- 64))
        let a = unsafe marks(sixteen(at: position), 1)
        let b = unsafe marks(sixteen(at: position &+ 16), 4)
        let c = unsafe marks(sixteen(at: position &+ 32), 16)
        let d = unsafe marks(sixteen(at: position &+ 48), 64)
        return (
            ByteClass.gathered(a.0 | b.0 | c.0 | d.0), ByteClass.gathered(a.1 | b.1 | c.1 | d.1)
        )
    }

    /// Sixteen bytes from a position, which must be in the text.
    @inline(__always)
    @unsafe private func sixteen(at position: Int) -> ByteClass.Bytes {
        unsafe UnsafeRawPointer(base + position).loadUnaligned(as: ByteClass.Bytes.self)
    }

    /// The first position from `start` on that follows a separator; `end` if there is none.
    @inline(__always)
    func placeAfterSeparator(_ start: Int, before end: Int) -> Int {
        var position = start
        while position < end {
            // Eight bytes at a time, because vector versions of these comparisons run lane by lane.
            let found = ByteClass.separators(in: word(at: position &- 1))
            if found != 0 { return min(end, position &+ found.trailingZeroBitCount >> 3) }
            position &+= 8
        }
        return end
    }

    /// The first position of a range that follows two given bytes; `end` plus one if there is none.
    func firstPosition(
        from start: Int, through end: Int, after first: UInt8, _ second: UInt8
    ) -> Int {
        var result = end &+ 1
        forEachPosition(from: start, through: end, after: first, second) { position in
            result = position
            return false
        }
        return result
    }

    /// Calls `body` with every position of a range that follows two given bytes, in ascending
    /// order, until it returns `false`.
    @inline(__always)
    func forEachPosition(
        from start: Int, through end: Int, after first: UInt8, _ second: UInt8,
        _ body: (Int) -> Bool
    ) {
        var position = start
        let firsts = SIMD16<UInt8>(repeating: first)
        let seconds = SIMD16<UInt8>(repeating: second)
        let ones = SIMD16<UInt8>(repeating: 1)
        if end < start { return }
        precondition(start >= 2 && end <= count &- 48)
        while position <= end {
            let low = unsafe found(position, firsts, seconds)
            let high = unsafe found(position &+ 16, firsts, seconds)
            if any(low .| high) {
                let marks = unsafe unsafeBitCast(
                    SIMD16<UInt8>().replacing(with: ones, where: low), to: SIMD2<UInt64>.self)
                guard Self.forEachMark(marks[0], position, end, body),
                    Self.forEachMark(marks[1], position &+ 8, end, body)
                else { return }
                let more = unsafe unsafeBitCast(
                    SIMD16<UInt8>().replacing(with: ones, where: high), to: SIMD2<UInt64>.self)
                guard Self.forEachMark(more[0], position &+ 16, end, body),
                    Self.forEachMark(more[1], position &+ 24, end, body)
                else { return }
            }
            position &+= 32
        }
    }

    /// The positions, of sixteen, after two given bytes.
    @inline(__always)
    @unsafe private func found(
        _ position: Int, _ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>
    ) -> SIMDMask<SIMD16<Int8>> {
        let a = unsafe UnsafeRawPointer(base + (position &- 2)).loadUnaligned(
            as: SIMD16<UInt8>.self)
        let b = unsafe UnsafeRawPointer(base + (position &- 1)).loadUnaligned(
            as: SIMD16<UInt8>.self)
        return a .== first .& b .== second
    }

    /// Calls `body` for each of eight positions whose byte in `marks` is 1, none beyond `end`, until
    /// it returns `false`.
    ///
    /// - Returns: Whether more positions may follow.
    @inline(__always)
    private static func forEachMark(
        _ marks: UInt64, _ position: Int, _ end: Int, _ body: (Int) -> Bool
    ) -> Bool {
        var marks = UInt64(littleEndian: marks)
        while marks != 0 {
            let found = position &+ marks.trailingZeroBitCount >> 3
            if found > end || !body(found) { return false }
            marks &= marks &- 1
        }
        return true
    }
}
