/// The class of a byte for the tokenizer of JavaScript.
enum JavaScriptByte {
    /// Whether the byte continues a name; bytes beyond ASCII do, unless they are a space.
    @inline(__always)
    static func isName(_ byte: UInt8) -> Bool {
        // One bit for each ASCII character: `$` and the digits, then letters and `_`.
        let mask: UInt64 = byte < 64 ? 0x03FF_0010_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return byte < 0x80 && (mask &>> UInt64(byte & 63)) & 1 == 1
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) &- 0x30
        case 0x41...0x46, 0x61...0x66: UInt32(byte | 0x20) &- 0x61 &+ 10
        default: nil
        }
    }

    /// A white space character or line terminator beyond ASCII (ECMA-262 12.2 and 12.3).
    struct WideSpace {
        let length: Int
        let isNewline: Bool
    }

    /// The space at a byte of 0x80 or above; `nil` if the byte is part of a name.
    static func wideSpace(_ source: Span<UInt8>, at index: Int, limit: Int) -> WideSpace? {
        let first = source[index]
        guard first >= 0xC2, index &+ 1 < limit else { return nil }
        let second = source[index &+ 1]
        if first == 0xC2, second == 0xA0 { return WideSpace(length: 2, isNewline: false) }
        guard first >= 0xE1, index &+ 2 < limit else { return nil }
        let third = source[index &+ 2]
        switch (first, second, third) {
        case (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): return WideSpace(length: 3, isNewline: true)
        // U+FEFF, and the category Zs.
        case (0xEF, 0xBB, 0xBF), (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            return WideSpace(length: 3, isNewline: false)
        default: return nil
        }
    }
}

extension Span<UInt8> {
    /// Whether a position has these bytes.
    func holds(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start >= 0, start &+ length <= count else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<length where unsafe expected[index] != self[start &+ index] {
                return false
            }
            return true
        }
    }
}
