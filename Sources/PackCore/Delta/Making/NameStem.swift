import PackDelta
import PackDeltaFile
package import PackGround

/// A file's name without the part that looks like a content hash.
package enum NameStem {
    /// The path without the last piece between separators that looks like a hash.
    package static func of(_ path: AssetPath) -> [UInt8] {
        let bytes = path.bytes
        var result = bytes
        if let hash = base64Hash(bytes) {
            result.replaceSubrange(hash, with: [UInt8(ascii: "#")])
            return result
        }
        var end = bytes.count
        while end > 0 {
            var start = end
            while start > 0, !NameSeeds.isSeparator(bytes[start - 1]) { start -= 1 }
            if start > 0, bytes[start - 1] == UInt8(ascii: "/") { break }
            if start > 0, end - start >= 6, looksLikeHash(bytes[start..<end]) {
                result.replaceSubrange(start..<end, with: [UInt8(ascii: "#")])
                return result
            }
            end = start - 1
        }
        return result
    }

    /// The eight characters before the extension if they are a hash in Rollup's form.
    ///
    /// That is base64url, whose `-` and `_` are not separators here.
    private static func base64Hash(_ path: [UInt8]) -> Range<Int>? {
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > 9 else { return nil }
        let hash = path[(dot - 8)..<dot]
        let before = path[dot - 9]
        guard before == UInt8(ascii: "-") || before == UInt8(ascii: "."),
            hash.allSatisfy({ ByteClass.isTokenByte($0) && $0 < 0x80 && $0 != 0x24 || $0 == 0x2D }),
            looksLikeHash(hash)
        else { return nil }
        return hash.startIndex..<hash.endIndex
    }

    private static func looksLikeHash(_ piece: ArraySlice<UInt8>) -> Bool {
        let digits = piece.filter { (0x30...0x39).contains($0) }.count
        let upper = piece.filter { (0x41...0x5A).contains($0) }.count
        return digits > 0 || upper > 1
    }
}
