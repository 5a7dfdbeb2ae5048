extension HTMLTokenizer {
    /// The errors of preprocessing the input stream (13.2.3.5): controls and noncharacters.
    ///
    /// A separate pass, since the tokenizer skips bytes that it does not need.
    /// Invalid UTF-8 is not a parse error of the standard (a decoder has replaced it by U+FFFD
    /// before); lone surrogates are, but UTF-8 cannot contain them.
    static func inputStreamErrors(in bytes: Span<UInt8>, limit: Int) -> [HTMLParseError] {
        var errors: [HTMLParseError] = []
        var position = 0
        while position < bytes.count, errors.count < limit {
            let byte = bytes[position]
            if byte < 0x80 {
                if byte != 0, byte < 0x20 && !byte.isHTMLSpace || byte == 0x7F {
                    errors.append(
                        HTMLParseError(code: .controlCharacterInInputStream, offset: position))
                }
                position &+= 1
                continue
            }
            let (scalar, length) = bytes.scalar(at: position)
            if let scalar, scalar < 0xA0 {
                errors.append(
                    HTMLParseError(code: .controlCharacterInInputStream, offset: position))
            } else if let scalar, scalar.isNoncharacter {
                errors.append(HTMLParseError(code: .noncharacterInInputStream, offset: position))
            }
            position &+= length
        }
        return errors
    }
}

extension UInt32 {
    /// U+FDD0 to U+FDEF, and the last two code points of every plane.
    var isNoncharacter: Bool {
        (0xFDD0...0xFDEF).contains(self) || self & 0xFFFE == 0xFFFE
    }
}

extension Span<UInt8> {
    /// The code point of well-formed UTF-8 at a position; `nil` and 1 where it is not well formed.
    func scalar(at position: Int) -> (scalar: UInt32?, length: Int) {
        let first = self[position]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        if length == 1 { return (UInt32(first), 1) }
        guard first >= 0xC2, first <= 0xF4, length <= count &- position else { return (nil, 1) }
        var value = UInt32(first) & (0xFF >> UInt32(length &+ 1))
        for offset in 1..<length {
            let byte = self[position &+ offset]
            guard byte & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard value >= least, value <= 0x10FFFF, value & 0xFFFF_F800 != 0xD800 else {
            return (nil, 1)
        }
        return (value, length)
    }
}
