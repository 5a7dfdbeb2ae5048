/// Whether a string looks like an address.
package enum JavaScriptLiteralShape {
    /// Longer strings are assumed to be data.
    private static let longest = 2048

    /// Whether the text could be a URL or a path to a file.
    ///
    /// It must have no white space, and a scheme, a leading `/`, `./` or `../`, or a name with an
    /// extension.
    static func looksLikeAddress(_ bytes: Span<UInt8>) -> Bool {
        let count = bytes.count
        guard count >= 2, count <= longest else { return false }
        var slashes = 0
        var lastSlash = -1
        var lastDot = -1
        var colon = -1
        for index in 0..<count {
            switch bytes[index] {
            case 0x21, 0x23...0x26, 0x28...0x2D, 0x30...0x39, 0x3B, 0x3D, 0x3F...0x5B, 0x5D...0x7A,
                0x7C, 0x7E, 0x80...0xFF, UInt8(ascii: "'"):
                break
            case UInt8(ascii: "/"):
                slashes &+= 1
                lastSlash = index
            case UInt8(ascii: "."): lastDot = index
            case UInt8(ascii: ":"): if colon < 0 { colon = index }
            // White space, controls, quotes, `<`, `>`, `\`, `^` `{` `}`: prose, markup, patterns.
            case UInt8(ascii: "^"): return false
            default: return false
            }
        }
        if bytes[0] == UInt8(ascii: "/") { return true }
        if bytes.holds("./", at: 0) || bytes.holds("../", at: 0) { return true }
        if colon > 0, isScheme(bytes, colon) { return bytes.holds("//", at: colon &+ 1) }
        return hasExtension(bytes, lastDot, after: lastSlash)
    }

    private static func isScheme(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
        guard bytes[0] | 0x20 >= UInt8(ascii: "a"), bytes[0] | 0x20 <= UInt8(ascii: "z") else {
            return false
        }
        for index in 1..<max(end, 1) {
            switch bytes[index] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                break
            default: return false
            }
        }
        return true
    }

    /// Whether a dot is followed by up to eight letters or digits, the first of them a letter.
    private static func hasExtension(_ bytes: Span<UInt8>, _ dot: Int, after slash: Int) -> Bool {
        var end = bytes.count
        for index in max(slash, 0)..<bytes.count
        where bytes[index] == UInt8(ascii: "?") || bytes[index] == UInt8(ascii: "#") {
            end = index
            break
        }
        guard dot > slash &+ 1, dot &+ 1 < end, end &- dot <= 12 else { return false }
        for index in dot &+ 1..<end {
            let byte = bytes[index]
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            guard isLetter || JavaScriptByte.isDigit(byte) else { return false }
        }
        return true
    }

    /// The texts of a path around names in braces: `tiles/`, `/` and `.png` of `tiles/{z}/{x}.png`.
    ///
    /// - Returns: Nothing for other texts, and for an address with a scheme.
    package static func pattern(_ text: [UInt8]) -> [[UInt8]] {
        guard text.count <= longest, text.contains(UInt8(ascii: "{")) else { return [] }
        var texts: [[UInt8]] = [[]]
        var depth = 0
        var length = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "{"):
                if depth == 0 {
                    // The `$` of `${x}` belongs to the name.
                    if texts[texts.count - 1].last == UInt8(ascii: "$") {
                        texts[texts.count - 1].removeLast()
                    }
                    texts.append([])
                    length = 0
                }
                depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth >= 0, length > 0 else { return [] }
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "|"), UInt8(ascii: "*"), UInt8(ascii: "^"),
                UInt8(ascii: "\\"):
                return []
            default:
                if depth == 0 {
                    texts[texts.count - 1].append(byte)
                } else {
                    length += 1
                    let isName =
                        JavaScriptByte.isName(byte) || byte == UInt8(ascii: ".")
                        || byte == UInt8(ascii: "-")
                    guard isName, length <= 24 else { return [] }
                }
            }
        }
        return depth == 0 ? texts : []
    }
}
