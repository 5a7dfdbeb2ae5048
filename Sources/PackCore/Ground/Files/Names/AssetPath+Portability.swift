#if canImport(Darwin)
    import Foundation
#else
    // The standard library normalises without ICU, whose data would be half of the program.
    @_spi(_Unicode) import Swift
#endif

extension AssetPath {
    /// The longest path of the strict zip profile, in bytes.
    package static let longestPath = 1024
    /// The largest number of components in the strict zip profile.
    package static let deepestPath = 32

    /// The rule of the strict zip profile (`docs/formats.md`) that this path breaks, or `nil`.
    ///
    /// Checks only the rules beyond those of ``init(_:)-([UInt8])``. Hashing accepts such names; a
    /// package must not contain them.
    package var portabilityProblem: NameProblem? {
        if bytes.count > Self.longestPath { return .pathTooLong }
        let slashes = bytes.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
        if slashes >= Self.deepestPath { return .tooDeep }
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
            let component = bytes[start..<end]
            start = end + 1
            if component.contains(UInt8(ascii: ":")) { return .colon }
            if component.last == UInt8(ascii: ".") || component.last == UInt8(ascii: " ") {
                return .trailingDotOrSpace
            }
            if Self.isDeviceName(component) { return .deviceName }
        }
        if bytes.contains(where: { $0 >= 0x80 }),
            !Self.composed(description).elementsEqual(bytes)
        {
            return .notComposed
        }
        return nil
    }

    private static func isDeviceName(_ component: ArraySlice<UInt8>) -> Bool {
        switch component.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "a"), UInt8(ascii: "n"),
            UInt8(ascii: "l"):
            break
        default: return false
        }
        let stem = component.prefix { $0 != UInt8(ascii: ".") }
        // "AUX" is the shortest name, "CONOUT$" the longest; spaces may follow the letters.
        guard 3...7 ~= stem.count else { return false }
        var name = String(decoding: stem, as: UTF8.self).uppercased()
        while name.hasSuffix(" ") { name.removeLast() }
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(name) { return true }
        guard name.utf8.count == 4, name.hasPrefix("COM") || name.hasPrefix("LPT") else {
            return false
        }
        return name.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// A key that is equal for names that collide on file systems ignoring case and Unicode
    /// normalization.
    ///
    /// Applies full case folding, then normalization form C.
    package static func foldedKey(_ name: ArraySlice<UInt8>) -> [UInt8] {
        if name.allSatisfy({ $0 < 0x80 }) {
            return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        // Lowercasing, uppercasing and lowercasing again applies the full mappings ("ß" becomes
        // "ss"), as case folding does. The first step is needed because "ẞ" is already upper case
        // and would stop at "ß". The dotless "ı" is left out: its upper case is "I", but Unicode
        // folds it only for Turkish (status T in CaseFolding.txt), and APFS and NTFS keep "ı" and
        // "i" apart.
        let folded = String(decoding: name, as: UTF8.self).lowercased().unicodeScalars
            .split(separator: "\u{131}", omittingEmptySubsequences: false)
            .map { String($0).uppercased().lowercased() }.joined(separator: "\u{131}")
        return composed(folded)
    }

    /// The UTF-8 of a name in Unicode's normalization form C.
    private static func composed(_ name: String) -> [UInt8] {
        #if canImport(Darwin)
            Array(name.precomposedStringWithCanonicalMapping.utf8)
        #else
            Array(String(String.UnicodeScalarView(name._nfc)).utf8)
        #endif
    }
}
