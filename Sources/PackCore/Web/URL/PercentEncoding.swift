/// The bytes that a component of a URL writes as `%XX`.
///
/// URL standard, "percent-encode sets". Every byte outside ASCII belongs to every set.
package enum PercentEncodeSet: Sendable {
    case control, fragment, query, specialQuery, path, userinfo, component

    func contains(_ byte: UInt8) -> Bool {
        if byte < 0x20 || byte > 0x7E { return true }
        switch self {
        case .control: return false
        case .fragment: return Self.isQuoteOrAngle(byte) || byte == UInt8(ascii: "`")
        case .query: return Self.isQuery(byte)
        case .specialQuery: return Self.isQuery(byte) || byte == UInt8(ascii: "'")
        case .path: return Self.isPath(byte)
        case .userinfo: return Self.isUserinfo(byte)
        case .component:
            switch byte {
            case UInt8(ascii: "$")...UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: ","):
                return true
            default: return Self.isUserinfo(byte)
            }
        }
    }

    private static func isQuoteOrAngle(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">")
    }

    private static func isQuery(_ byte: UInt8) -> Bool {
        isQuoteOrAngle(byte) || byte == UInt8(ascii: "#")
    }

    private static func isPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "}"):
            true
        default: isQuery(byte)
        }
    }

    private static func isUserinfo(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: "@"), UInt8(ascii: "[")...UInt8(ascii: "]"), UInt8(ascii: "|"):
            true
        default: isPath(byte)
        }
    }
}

/// Percent-encoding and percent-decoding of bytes.
package enum PercentEncoding {
    /// Decodes each `%XX`; a `%` without two hexadecimal digits is kept.
    @specialized(where Bytes == [UInt8])
    @specialized(where Bytes == ArraySlice<UInt8>)
    package static func decode<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if byte == UInt8(ascii: "%"), let value = value(of: bytes[index...]) {
                decoded.append(value)
                bytes.formIndex(&index, offsetBy: 2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// Encodes the bytes of `set` as `%XX`.
    ///
    /// Invalid UTF-8 becomes `%EF%BF%BD`, as if the document had been decoded before parsing its
    /// URLs.
    package static func encode(_ bytes: ArraySlice<UInt8>, _ set: PercentEncodeSet) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { set.contains($0) }) else {
            return Array(bytes)
        }
        var encoded = Array(bytes[..<first])
        var index = first
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x80 {
                if set.contains(byte) { append(byte, to: &encoded) } else { encoded.append(byte) }
                index += 1
                continue
            }
            let sequence = UTF8Sequence(in: bytes, at: index)
            if sequence.scalar == nil {
                encoded += "%EF%BF%BD".utf8
            } else {
                for byte in bytes[index..<(index + sequence.length)] { append(byte, to: &encoded) }
            }
            index += sequence.length
        }
        return encoded
    }

    /// The value of the two hexadecimal digits at the start of a text.
    static func value(of digits: some Collection<UInt8>) -> UInt8? {
        var iterator = digits.makeIterator()
        guard let high = iterator.next().flatMap(hexadecimalDigit),
            let low = iterator.next().flatMap(hexadecimalDigit)
        else { return nil }
        return high << 4 | low
    }

    private static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digit(byte >> 4))
        encoded.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// The value of one hexadecimal digit of either case.
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
