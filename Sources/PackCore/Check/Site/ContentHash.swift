/// Recognizes content hashes in file names as bundlers write them.
package enum ContentHash {
    /// Whether a part of a file's name looks like a content hash.
    ///
    /// True for `main.c609e010f4.js` and `index-BfX3_d2k.js`; false for `jquery-3.6.0.min.js` (a
    /// version) and `fa-solid-900.woff2`.
    package static func isIn(_ name: [UInt8]) -> Bool { part(of: name) != nil }

    /// The last part of a name that looks like a content hash.
    package static func part(of name: [UInt8]) -> [UInt8]? {
        let pieces = name.split {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~")
                || $0 == UInt8(ascii: "@")
        }.map(Array.init)
        if let found = pieces.dropFirst(pieces.count > 1 ? 0 : 1).last(where: looksHashed) {
            return found
        }
        // base64url hashes may contain '-' and '_': "index-Bf-X3_d2.js".
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let stem = Array(name[..<dot])
        guard stem.count > 9, stem[stem.count - 9] == UInt8(ascii: "-") else { return nil }
        let tail = Array(stem.suffix(8))
        return isMixed(tail) ? tail : nil
    }

    /// A name without its content hash and the separator before it; `nil` if it has none.
    static func removed(from name: [UInt8]) -> [UInt8]? {
        guard let hash = part(of: name), let range = name.firstRange(of: hash),
            range.lowerBound > 1
        else { return nil }
        return Array(name[..<(range.lowerBound - 1)]) + name[range.upperBound...]
    }

    /// Whether a part of a file's name consists of enough digits to be a hash without letters.
    ///
    /// One of 43 hexadecimal hashes with eight characters is a number. So is a date or an
    /// identifier: for names known to have a hash.
    package static func mayBeNumber(in name: [UInt8]) -> Bool {
        name.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }.contains {
            $0.count >= 6 && $0.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private static func looksHashed(_ piece: [UInt8]) -> Bool {
        guard (6...64).contains(piece.count) else { return false }
        let isHexadecimal = piece.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
        }
        let digits = piece.count { (0x30...0x39).contains($0) }
        if isHexadecimal { return digits > 0 && (digits < piece.count || piece.count >= 16) }
        return piece.count >= 8 && isMixed(piece)
    }

    /// Letters and digits, or mixed case within a word, as in base62 and base32.
    private static func isMixed(_ piece: [UInt8]) -> Bool {
        let isWord = piece.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard isWord else { return false }
        let digits = piece.count { (0x30...0x39).contains($0) }
        let upper = piece.count { (0x41...0x5A).contains($0) }
        let lower = piece.count { (0x61...0x7A).contains($0) }
        let changes = zip(piece, piece.dropFirst()).count { kind($0) != kind($1) }
        // Capital letters, with or without digits: base32, as written by esbuild.
        if lower == 0, upper > 0 { return true }
        if digits > 0, upper + lower > 0 { return changes >= 2 }
        // "camelCase" changes case rarely and does not end in a capital letter; a hash may.
        let hasPair = zip(piece, piece.dropFirst()).contains { kind($0) == 1 && kind($1) == 1 }
        return upper > 0 && lower > 0 && (changes >= 4 || changes >= 2 && hasPair)
    }

    private static func kind(_ byte: UInt8) -> Int {
        switch byte {
        case 0x30...0x39: 0
        case 0x41...0x5A: 1
        default: 2
        }
    }
}
