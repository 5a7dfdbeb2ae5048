/// The decoders of the Encoding standard for encodings other than UTF-8, without ISO-2022-JP.
///
/// They match all browsers, including errors: an invalid byte is U+FFFD, and an ASCII byte after it
/// is decoded normally.
enum LegacyDecoder {
    /// One byte per character; the index of the upper half.
    case singleByte(EncodingIndex)
    /// Also used for `gbk`.
    case gb18030
    case big5, eucJP, shiftJIS, eucKR
    case utf16(isBigEndian: Bool)
    case userDefined

    /// A character and its length in bytes, at least one.
    struct Step {
        /// `nil` for an error.
        let scalar: UInt32?
        let length: Int
        /// Four characters of Big5 are two code points.
        var second: UInt32?

        init(_ scalar: UInt32?, _ length: Int, second: UInt32? = nil) {
            self.scalar = scalar
            self.length = length
            self.second = second
        }
    }

    /// Selects a decoder.
    ///
    /// - Parameter encoding: A name from ``EncodingLabel``.
    /// - Returns: `nil` for UTF-8 and unsupported encodings.
    init?(_ encoding: String) {
        switch encoding {
        case "gbk", "gb18030": self = .gb18030
        case "big5": self = .big5
        case "euc-jp": self = .eucJP
        case "shift_jis": self = .shiftJIS
        case "euc-kr": self = .eucKR
        case "utf-16le": self = .utf16(isBigEndian: false)
        case "utf-16be": self = .utf16(isBigEndian: true)
        case "x-user-defined": self = .userDefined
        case "iso-8859-8-i": self.init("iso-8859-8")
        default:
            guard let index = EncodingIndex.singleBytes[encoding] else { return nil }
            self = .singleByte(index)
        }
    }

    /// Whether ASCII bytes outside multi-byte characters are ASCII characters.
    var isASCIICompatible: Bool {
        if case .utf16 = self { return false }
        return true
    }

    /// The character at a position inside the bytes.
    func step(_ bytes: Span<UInt8>, at position: Int) -> Step {
        let lead = bytes[position]
        if case .utf16(let isBigEndian) = self {
            return Self.utf16(bytes, at: position, isBigEndian)
        }
        if lead < 0x80 { return Step(UInt32(lead), 1) }
        let second = position + 1 < bytes.count ? bytes[position + 1] : nil
        switch self {
        case .singleByte(let index): return Step(index[Int(lead) - 0x80], 1)
        case .userDefined: return Step(0xF780 + UInt32(lead) - 0x80, 1)
        case .gb18030: return Self.gb18030(bytes, at: position, lead, second)
        case .big5: return Self.big5(lead, second)
        case .eucJP: return Self.eucJP(bytes, at: position, lead, second)
        case .shiftJIS: return Self.shiftJIS(lead, second)
        case .eucKR: return Self.eucKR(lead, second)
        case .utf16: return Step(nil, 1)
        }
    }

    /// A character of two bytes; after an error, an ASCII byte is read again.
    private static func pair(_ scalar: UInt32?, _ second: UInt8) -> Step {
        Step(scalar, scalar == nil && second < 0x80 ? 1 : 2)
    }

    private static func gb18030(
        _ bytes: Span<UInt8>, at position: Int, _ lead: UInt8, _ second: UInt8?
    ) -> Step {
        if lead == 0x80 { return Step(0x20AC, 1) }
        guard lead != 0xFF, let second else { return Step(nil, 1) }
        if (0x30...0x39).contains(second) {
            guard position + 3 < bytes.count else {
                // A text that ends inside a four-byte character has one error.
                let isCut =
                    position + 2 >= bytes.count || (0x81...0xFE).contains(bytes[position + 2])
                return Step(nil, isCut ? bytes.count - position : 1)
            }
            let (third, fourth) = (bytes[position + 2], bytes[position + 3])
            guard (0x81...0xFE).contains(third), (0x30...0x39).contains(fourth) else {
                return Step(nil, 1)
            }
            let pointer =
                ((Int(lead) - 0x81) * 10 + Int(second) - 0x30) * 1260
                + (Int(third) - 0x81) * 10 + Int(fourth) - 0x30
            return Step(EncodingIndex.gb18030Range(pointer), 4)
        }
        var scalar: UInt32?
        if (0x40...0x7E).contains(second) || (0x80...0xFE).contains(second) {
            let offset = second < 0x7F ? 0x40 : 0x41
            scalar = EncodingIndex.gb18030[(Int(lead) - 0x81) * 190 + Int(second) - offset]
        }
        return pair(scalar, second)
    }

    private static func big5(_ lead: UInt8, _ second: UInt8?) -> Step {
        guard (0x81...0xFE).contains(lead), let second else { return Step(nil, 1) }
        guard (0x40...0x7E).contains(second) || (0xA1...0xFE).contains(second) else {
            return pair(nil, second)
        }
        let pointer = (Int(lead) - 0x81) * 157 + Int(second) - (second < 0x7F ? 0x40 : 0x62)
        switch pointer {
        case 1133: return Step(0xCA, 2, second: 0x304)
        case 1135: return Step(0xCA, 2, second: 0x30C)
        case 1164: return Step(0xEA, 2, second: 0x304)
        case 1166: return Step(0xEA, 2, second: 0x30C)
        default: return pair(EncodingIndex.big5[pointer], second)
        }
    }

    private static func eucJP(
        _ bytes: Span<UInt8>, at position: Int, _ lead: UInt8, _ second: UInt8?
    ) -> Step {
        guard lead == 0x8E || lead == 0x8F || (0xA1...0xFE).contains(lead), let second else {
            return Step(nil, 1)
        }
        if lead == 0x8E, (0xA1...0xDF).contains(second) {
            return Step(0xFF61 - 0xA1 + UInt32(second), 2)
        }
        guard (0xA1...0xFE).contains(second), lead != 0x8E else { return pair(nil, second) }
        if lead == 0x8F {
            guard position + 2 < bytes.count else { return Step(nil, 2) }
            let third = bytes[position + 2]
            var scalar: UInt32?
            if (0xA1...0xFE).contains(third) {
                scalar = EncodingIndex.jis0212[(Int(second) - 0xA1) * 94 + Int(third) - 0xA1]
            }
            return Step(scalar, scalar == nil && third < 0x80 ? 2 : 3)
        }
        return pair(
            EncodingIndex.jis0208[(Int(lead) - 0xA1) * 94 + Int(second) - 0xA1], second)
    }

    private static func shiftJIS(_ lead: UInt8, _ second: UInt8?) -> Step {
        switch lead {
        case 0x80: return Step(0x80, 1)
        case 0xA1...0xDF: return Step(0xFF61 - 0xA1 + UInt32(lead), 1)
        case 0xA0, 0xFD...0xFF: return Step(nil, 1)
        default: break
        }
        guard let second else { return Step(nil, 1) }
        guard (0x40...0x7E).contains(second) || (0x80...0xFC).contains(second) else {
            return pair(nil, second)
        }
        let pointer =
            (Int(lead) - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + Int(second)
            - (second < 0x7F ? 0x40 : 0x41)
        if (8836...10715).contains(pointer) { return Step(0xE000 - 8836 + UInt32(pointer), 2) }
        return pair(EncodingIndex.jis0208[pointer], second)
    }

    private static func eucKR(_ lead: UInt8, _ second: UInt8?) -> Step {
        guard (0x81...0xFE).contains(lead), let second else { return Step(nil, 1) }
        guard (0x41...0xFE).contains(second) else { return pair(nil, second) }
        return pair(EncodingIndex.euckr[(Int(lead) - 0x81) * 190 + Int(second) - 0x41], second)
    }

    private static func utf16(
        _ bytes: Span<UInt8>, at position: Int, _ isBigEndian: Bool
    ) -> Step {
        func unit(_ start: Int) -> UInt32? {
            guard start + 1 < bytes.count else { return nil }
            let (one, two) = (UInt32(bytes[start]), UInt32(bytes[start + 1]))
            return isBigEndian ? one << 8 | two : two << 8 | one
        }
        guard let first = unit(position) else { return Step(nil, 1) }
        guard (0xD800...0xDFFF).contains(first) else { return Step(first, 2) }
        // A text that ends inside a surrogate pair has one error.
        guard first < 0xDC00, let next = unit(position + 2) else {
            return Step(nil, first < 0xDC00 ? bytes.count - position : 2)
        }
        guard (0xDC00...0xDFFF).contains(next) else { return Step(nil, 2) }
        return Step(0x10000 + (first - 0xD800) << 10 + (next - 0xDC00), 4)
    }
}
