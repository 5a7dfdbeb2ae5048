/// Character references (HTML 13.2.5.72 and following): `&amp;`, `&#38;`, `&#x26;`.
enum CharacterReferences {
    /// The result of reading at an `&`.
    struct Match {
        /// The characters that it represents; `nil` if the `&` is an ordinary character.
        var scalars: (UInt32, UInt32?)?
        /// The position to continue at: after the reference, or after the examined text.
        var end: Int
        /// Parse errors, all at one offset.
        var problems: [HTMLParseError.Code] = []
        var problemOffset = 0
    }

    /// The longest name of the table without its semicolon, in bytes.
    private static let longestName = 31

    /// Reads the reference that may start at `ampersand`, not beyond `end`.
    static func match(
        _ bytes: Span<UInt8>, at ampersand: Int, end: Int, inAttribute: Bool
    ) -> Match {
        let start = ampersand &+ 1
        guard start < end else { return Match(end: start) }
        if bytes[start] == UInt8(ascii: "#") { return number(bytes, from: start &+ 1, end: end) }
        guard bytes[start].isASCIIAlphanumeric else { return Match(end: start) }
        return name(bytes, from: start, end: end, inAttribute: inAttribute)
    }

    // MARK: - Named

    private static func name(
        _ bytes: Span<UInt8>, from start: Int, end: Int, inAttribute: Bool
    ) -> Match {
        var nameEnd = start
        while nameEnd < end, bytes[nameEnd].isASCIIAlphanumeric { nameEnd &+= 1 }
        let isTerminated = nameEnd < end && bytes[nameEnd] == UInt8(ascii: ";")
        // Names consist of letters and digits. So the longest match is either the whole run with
        // its semicolon or one of the few names without one, none of which is longer than six.
        if isTerminated, nameEnd &- start <= longestName,
            let scalars = NamedCharacterTable.shared.scalars(bytes, start..<nameEnd)
        {
            return Match(scalars: scalars, end: nameEnd &+ 1)
        }
        var length = min(nameEnd &- start, NamedCharacterTable.longestLegacyName)
        while length >= 2 {
            let matchEnd = start &+ length
            if let scalars = NamedCharacterTable.shared.legacyScalars(bytes, start..<matchEnd) {
                // "For historical reasons": `?a=1&copy=2` does not contain a copyright sign.
                if inAttribute, matchEnd < end,
                    bytes[matchEnd] == UInt8(ascii: "=") || bytes[matchEnd].isASCIIAlphanumeric
                {
                    return Match(end: matchEnd)
                }
                return Match(
                    scalars: scalars, end: matchEnd, problems: [.missingSemicolon],
                    problemOffset: matchEnd)
            }
            length &-= 1
        }
        // Ambiguous ampersand state.
        return Match(
            end: nameEnd, problems: isTerminated ? [.unknownNamedCharacterReference] : [],
            problemOffset: nameEnd)
    }

    // MARK: - Numeric

    private static func number(_ bytes: Span<UInt8>, from start: Int, end: Int) -> Match {
        let isHexadecimal = start < end && bytes[start] | 0x20 == UInt8(ascii: "x")
        let digits = isHexadecimal ? start &+ 1 : start
        var position = digits
        var value: UInt32 = 0
        while position < end, let digit = bytes[position].digit(hexadecimal: isHexadecimal) {
            // Values above the limit stay above it.
            value = min(value &* (isHexadecimal ? 16 : 10) &+ digit, 0x11_0000)
            position &+= 1
        }
        guard position > digits else {
            return Match(end: digits, problems: [.absenceOfDigits], problemOffset: digits)
        }
        var problems: [HTMLParseError.Code] = []
        if position < end, bytes[position] == UInt8(ascii: ";") {
            position &+= 1
        } else {
            problems.append(.missingSemicolon)
        }
        let (scalar, problem) = character(numbered: value)
        if let problem { problems.append(problem) }
        return Match(
            scalars: (scalar, nil), end: position, problems: problems, problemOffset: position)
    }

    /// Numeric character reference end state.
    private static func character(
        numbered value: UInt32
    ) -> (scalar: UInt32, problem: HTMLParseError.Code?) {
        switch value {
        case 0: return (0xFFFD, .nullCharacterReference)
        case 0x11_0000...: return (0xFFFD, .characterReferenceOutsideUnicodeRange)
        case 0xD800...0xDFFF: return (0xFFFD, .surrogateCharacterReference)
        case 0x80...0x9F:
            let replacement = windows1252[Int(value) - 0x80]
            return (replacement, .controlCharacterReference)
        case 0x09, 0x0A, 0x0C: return (value, nil)
        case 0..<0x20, 0x7F: return (value, .controlCharacterReference)
        default: return (value, value.isNoncharacter ? .noncharacterCharacterReference : nil)
        }
    }

    /// The standard's replacements for the C1 controls: windows-1252, if it defines the character.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

extension UInt8 {
    /// The value of a decimal or hexadecimal digit.
    func digit(hexadecimal: Bool) -> UInt32? {
        if isASCIIDigit { return UInt32(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return hexadecimal && letter < 6 ? UInt32(letter) + 10 : nil
    }
}

extension UInt32 {
    /// U+FDD0 to U+FDEF, and the last two code points of every plane.
    fileprivate var isNoncharacter: Bool {
        (0xFDD0...0xFDEF).contains(self) || self & 0xFFFE == 0xFFFE
    }
}
