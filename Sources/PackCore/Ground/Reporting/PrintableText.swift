/// Renders untrusted bytes (names, labels, arguments) unambiguously for a terminal.
///
/// Valid text is unchanged; control characters, line breaks, marks that change the text direction,
/// and invalid bytes become `\xNN`.
package func printable(_ bytes: some Sequence<UInt8>) -> String {
    let all = Array(bytes)
    if all.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(decoding: all, as: UTF8.self) }
    var text = ""
    var position = 0
    while position < all.count {
        let (scalar, length) = decodeScalar(all, at: position)
        if let scalar, !scalar.isUnprintable {
            text.unicodeScalars.append(scalar)
        } else {
            for byte in all[position..<(position + length)] {
                text += "\\x" + hexadecimal([byte])
            }
        }
        position += length
    }
    return text
}

/// Decodes one Unicode scalar; `nil` with length 1 if the bytes are not UTF-8.
package func decodeScalar(_ bytes: [UInt8], at position: Int) -> (
    scalar: Unicode.Scalar?, length: Int
) {
    var iterator = bytes[position...].prefix(4).makeIterator()
    var decoder = UTF8()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        return (scalar, UTF8.width(scalar))
    }
    return (nil, 1)
}

extension Unicode.Scalar {
    /// C0 and C1 controls and DEL: never allowed in a name.
    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether a terminal or log interprets the character instead of showing it.
    ///
    /// Control characters, the line separators U+2028 and U+2029, and marks that change the text
    /// direction (Unicode Standard Annex 9).
    package var isUnprintable: Bool {
        if value < 0x600 { return isControl }
        switch value {
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return true
        default: return false
        }
    }
}

/// Whether a byte is a lower-case hexadecimal digit, as ``hexadecimal(_:)`` writes them.
package func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
}

/// Lower-case hexadecimal digits of some bytes.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}

/// A readable size: `812 B`, `70.3 kB`, `184.2 MB` (decimal units, one digit).
package func readableSize(_ bytes: UInt64) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    var tenths = bytes
    for unit in ["kB", "MB", "GB", "TB"] {
        // Keep one digit, rounded half up, without floating point.
        let scaled = tenths / 100 + (tenths % 100 < 50 ? 0 : 1)
        if scaled < 10_000 || unit == "TB" { return "\(scaled / 10).\(scaled % 10) \(unit)" }
        tenths /= 1000
    }
    return "\(bytes) B"
}

/// A limit as a readable size, a round one without a fraction: `2 MB`, `10.3 kB`.
package func readableLimit(_ bytes: UInt64) -> String {
    let text = readableSize(bytes)
    guard let point = text.firstIndex(of: "."), text[point...].hasPrefix(".0 ") else { return text }
    return "\(text[..<point])\(text[point...].dropFirst(2))"
}

/// A readable duration, rounded down: `90 seconds`, `40 minutes`, `16 hours`, `3 days`.
package func readableSpan(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: counted(seconds, "second")
    case ..<7200: counted(seconds / 60, "minute")
    case ..<172_800: counted(seconds / 3600, "hour")
    default: counted(seconds / 86_400, "day")
    }
}

/// A count with its noun: `1 file`, `4,861 files`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(grouped(count)) \(plural ?? noun + "s")"
}

/// Decimal digits with a comma after every three.
package func grouped(_ value: Int) -> String {
    var text = ""
    for (offset, digit) in String(value.magnitude).reversed().enumerated() {
        if offset > 0, offset % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (value < 0 ? "-" : "") + String(text.reversed())
}
