/// The class of a byte for the tokenizer (docs/sources.md#css-syntax, section 4.2).
///
/// Every non-ASCII byte belongs to an identifier, as in W3C's Candidate Recommendation and in
/// WebKit. The editor's draft has since excluded some symbols (such as U+2192 `→`), which changes
/// no URL that a style sheet loads.
enum CSSByte {
    /// Whether the byte continues an identifier; callers must handle NUL, which also does.
    @inline(__always)
    static func isIdent(_ byte: UInt8) -> Bool {
        // One bit for each ASCII character: `-` and the digits, then letters and `_`.
        let mask: UInt64 = byte < 64 ? 0x03FF_2000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return byte >= 0x80 || (mask &>> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte alone starts an identifier; NUL does, since it means U+FFFD.
    @inline(__always)
    static func isIdentStart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || isLetter(byte) || byte == UInt8(ascii: "_") || byte == 0
    }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46, 0x61...0x66: UInt32(byte | 0x20) - 0x61 + 10
        default: nil
        }
    }

    /// Whether the byte is LF, or CR or FF, which preprocessing converts to LF.
    @inline(__always)
    static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || isNewline(byte)
    }

    /// Whether the byte is a control that an unquoted URL may not contain.
    ///
    /// NUL is not one, since it means U+FFFD.
    static func isNonPrintable(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F: true
        default: false
        }
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
