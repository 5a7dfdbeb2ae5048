#if canImport(Darwin)
    import Foundation
#else
    // The standard library normalises without ICU, whose data would be half of the program.
    @_spi(_Unicode) import Swift
#endif

extension AssetPath {
    /// The longest path of the strict zip profile, in bytes.
    package static let longestPath = 1024
    /// The most components of the strict zip profile.
    package static let deepestPath = 32

    /// The rule of the strict zip profile (`docs/formats.md`) that this path breaks beyond those of
    /// ``init(_:)-([UInt8])``, or `nil`.
    ///
    /// Hashing accepts such names; nothing that is shipped may have one.
    package var portabilityProblem: NameProblem? {
        if bytes.count > Self.longestPath { return .pathTooLong }
        let components = bytes.split(separator: UInt8(ascii: "/"))
        if components.count > Self.deepestPath { return .tooDeep }
        for component in components {
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
        let stem = component.prefix { $0 != UInt8(ascii: ".") }
        // "AUX" is the shortest, "CONOUT$" the longest; spaces may follow in place of letters.
        guard 3...7 ~= stem.count, "cpanlCPANL".utf8.contains(where: { $0 == stem.first }) else {
            return false
        }
        var name = String(decoding: stem, as: UTF8.self).uppercased()
        while name.hasSuffix(" ") { name.removeLast() }
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(name) { return true }
        guard name.utf8.count == 4, name.hasPrefix("COM") || name.hasPrefix("LPT") else {
            return false
        }
        return name.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// The form that is equal for names that are one name on a file system that ignores case and
    /// Unicode normal form: full case folding, then normal form C.
    package static func foldedKey(_ name: ArraySlice<UInt8>) -> [UInt8] {
        if name.allSatisfy({ $0 < 0x80 }) {
            return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        // Upper then lower case applies the full mappings ("ß" becomes "ss"), as case folding does;
        // lower case first, because "ẞ" is already upper case and would stop at "ß".
        // One letter is the exception: the dotless "ı" has the upper case "I", but Unicode folds it to nothing else
        // (only Turkish does, status T of CaseFolding.txt), and neither APFS nor NTFS takes "ı" and "i" for one name.
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
