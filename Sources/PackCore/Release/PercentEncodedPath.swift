import PackGround
import PackURL

/// Percent-encoding of paths (RFC 3986 section 3.3).
///
/// Every byte that is legal in a path segment is kept, so that the last component of a URL is the
/// file's name for clients that decode nothing: `128x128@2x.png` is unchanged.
package enum PercentCoding {
    /// Whether a byte is kept: `pchar` of RFC 3986 (unreserved, sub-delims, `:` and `@`), and the
    /// slash.
    private static func staysAsItIs(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "/"):
            true
        default: "~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// Encodes a path.
    package static func encodePath(_ path: some Sequence<UInt8>) -> String {
        let bytes = Array(path)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        append(bytes[...], to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends an encoded path.
    static func append(_ path: ArraySlice<UInt8>, to text: inout [UInt8]) {
        // Most paths are appended unchanged.
        if path.allSatisfy(staysAsItIs) { return text += path }
        for byte in path {
            if staysAsItIs(byte) {
                text.append(byte)
            } else {
                text += Array("%\(hexadecimal([byte]).uppercased())".utf8)
            }
        }
    }

    /// Decodes a text; `nil` if a `%` is not followed by two hexadecimal digits.
    package static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(hexadecimalDigit),
                let low = rest.next().flatMap(hexadecimalDigit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
