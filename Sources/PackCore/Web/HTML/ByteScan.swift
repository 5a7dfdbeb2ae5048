/// Tight loops over the bytes of a page.
///
/// All unchecked reads of this folder are in this file, each after the bounds check for it.
extension Span<UInt8> {
    /// The position of the next `byte` at or after `start`; the length if there is none.
    ///
    /// Tests eight bytes at a time with the classic test for a zero byte in a word, whose lowest
    /// hit is exact.
    @inline(__always)
    func position(of byte: UInt8, from start: Int) -> Int {
        let end = count
        precondition(start >= 0)
        let raw = unsafe self.bytes
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        var position = start
        while position <= end &- 8 {
            let word = unsafe raw.unsafeLoadUnaligned(
                fromUncheckedByteOffset: position, as: UInt64.self)
            let difference = UInt64(littleEndian: word) ^ pattern
            let zeros =
                (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if zeros != 0 { return position &+ zeros.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position < end {
            if self[position] == byte { return position }
            position &+= 1
        }
        return end
    }

    /// The position of the first byte at or after `start` that is not ASCII white space.
    @inline(__always)
    func positionAfterSpace(from start: Int) -> Int {
        var position = start
        while position < count, self[position].isHTMLSpace { position &+= 1 }
        return position
    }

    /// At most eight bytes as a little-endian word in ASCII lower case, padded with zeros.
    ///
    /// The caller must keep `start + length` within the span and `length` within eight.
    @inline(__always)
    func lowercasedWord(at start: Int, length: Int) -> UInt64 {
        if length <= 0 { return 0 }
        if start >= 0, start <= count &- 8 {
            let word = unsafe self.bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: start, as: UInt64.self)
            let kept = UInt64.max >> UInt64(64 &- 8 &* length)
            return (UInt64(littleEndian: word) & kept).asciiLowercased
        }
        var word: UInt64 = 0
        var index = 0
        while index < length {
            word |= UInt64(self[start &+ index]) << UInt64(8 &* index)
            index &+= 1
        }
        return word.asciiLowercased
    }

    /// Whether the bytes from `start` on are `text`, ASCII case ignored; `text` is in lower case.
    func matches(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start >= 0, length <= count &- start else { return false }
        return text.withUTF8Buffer { expected in
            var index = 0
            while index < length {
                let byte = unsafe expected[index]
                guard self[start &+ index].asciiLowercased == byte else { return false }
                index &+= 1
            }
            return true
        }
    }

    /// Adds some of the bytes to an array.
    func append(_ range: Range<Int>, to array: inout [UInt8]) {
        let inside = range.clamped(to: 0..<count)
        unsafe extracting(inside).withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
    }

    /// A copy of some of the bytes.
    func copy(_ range: Range<Int>) -> [UInt8] {
        let inside = range.clamped(to: 0..<count)
        return unsafe extracting(inside).withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension UInt8 {
    /// ASCII white space by the standard: tab, line feed, form feed, return, space.
    @inline(__always)
    var isHTMLSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
    }

    @inline(__always)
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inline(__always)
    var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// Whether this is an ASCII letter or digit.
    var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    @inline(__always)
    var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension UInt64 {
    /// Converts eight ASCII letters at a time to lower case; other bytes are unchanged.
    @inline(__always)
    package var asciiLowercased: UInt64 {
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let aboveZ = low &+ 0x2525_2525_2525_2525
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let upper = ~self & (fromA ^ aboveZ) & 0x8080_8080_8080_8080
        return self | (upper >> 2)
    }
}
