import PackGround

/// The keys and certificates found in a small text file: PEM, OpenPGP and PuTTY.
package enum KeyText: Sendable {
    case none
    /// Blocks such as certificates and public keys, which may be published.
    case publicBlocks
    case privateKey

    /// The maximum number of bytes searched in a file.
    static let limit = 64 << 10

    init(_ bytes: [UInt8]) {
        // PowerShell writes UTF-16.
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let text = isWide ? bytes.dropFirst(2).filter { $0 != 0 }[...] : bytes[...]
        self = Self.isKeyFile(text) ? .privateKey : Self.search(text)
    }

    /// The start of every block.
    private static let opening = Array("-----BEGIN ".utf8)
    private static let dashes = Array("-----".utf8)
    /// The longest name of a block, such as `ENCRYPTED PRIVATE KEY`.
    private static let longestLabel = 60
    /// The minimum number of characters of a key; code that only compares with a key's first line
    /// has none.
    private static let fewestDigits = 40
    /// The maximum number of header lines, such as `Proc-Type: 4,ENCRYPTED`, before a block's
    /// content.
    private static let mostHeaders = 8

    /// Whether a file starts like a key file.
    private static func isKeyFile(_ text: ArraySlice<UInt8>) -> Bool {
        let start = (text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text)
            .drop(while: isSpace)
        return start.starts(with: "PuTTY-User-Key-File-".utf8)
            || start.starts(with: opening) && privateKeyEnd(start.dropFirst(opening.count)) != nil
    }

    private static func search(_ text: ArraySlice<UInt8>) -> KeyText {
        var rest = text
        var found = KeyText.none
        while let range = rest.firstRange(of: opening) {
            rest = rest[range.upperBound...]
            found = .publicBlocks
            if let end = privateKeyEnd(rest), hasKey(rest[end...]) { return .privateKey }
        }
        return found
    }

    /// The end of the first line of a private key; `nil` for other blocks.
    private static func privateKeyEnd(_ text: ArraySlice<UInt8>) -> Int? {
        let label = text.prefix(longestLabel).prefix { $0 != UInt8(ascii: "-") }
        let isPrivate = ["PRIVATE KEY", "PRIVATE KEY BLOCK"].contains { word in
            label.suffix(word.utf8.count).elementsEqual(word.utf8)
        }
        guard isPrivate, text[label.endIndex...].starts(with: dashes) else { return nil }
        return label.endIndex + dashes.count
    }

    /// Whether a key's digits follow, possibly inside a string of JSON or a script.
    private static func hasKey(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = afterBreaks(text)
        for _ in 0..<mostHeaders {
            let line = rest.prefix(200).prefix { !isBreak($0) }
            guard line.contains(UInt8(ascii: ":")) else { break }
            rest = afterBreaks(text[line.endIndex...])
        }
        return rest.prefix(fewestDigits).count(where: isDigit) == fewestDigits
    }

    /// Skips spaces, line breaks, and line breaks as spelled in strings: `\n`.
    private static func afterBreaks(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while let byte = rest.first {
            if isSpace(byte) {
                rest = rest.dropFirst()
            } else if byte == UInt8(ascii: "\\") {
                rest = rest.drop { $0 == UInt8(ascii: "\\") }.dropFirst()
            } else {
                break
            }
        }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D) ~= byte }

    private static func isBreak(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\\")
    }

    /// Whether a byte is a Base64 digit.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }
}
