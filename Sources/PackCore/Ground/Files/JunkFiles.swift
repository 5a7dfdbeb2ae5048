/// Files that desktops, version control and editors leave in a build output by accident.
///
/// The rules check one component and are never matched against the path above the build output: a
/// checkout below a directory named `.git` must not lose its files.
package enum JunkFiles {
    /// Whether a component names junk, which is neither hashed nor packed but counted in summaries.
    package static func isJunk(_ component: [UInt8]) -> Bool {
        let name = String(decoding: component, as: UTF8.self)
        if exactNames.contains(name) { return true }
        if name.hasPrefix("._") || name.hasPrefix(".#") { return true }
        if name.hasSuffix("~") { return true }
        if name.hasPrefix("#"), name.hasSuffix("#"), name.utf8.count > 1 { return true }
        if isTemporary(component) { return true }
        return name.hasPrefix(".") && [".swp", ".swo", ".swx"].contains { name.hasSuffix($0) }
    }

    /// Whether any component of a path names junk.
    package static func isJunk(in path: AssetPath) -> Bool {
        path.bytes.split(separator: UInt8(ascii: "/")).contains { isJunk(Array($0)) }
    }

    /// A new name for a temporary file or directory.
    ///
    /// The name is short, so it fits next to a file with the longest name. It counts as junk, so
    /// files of a killed run never get into a package.
    package static func temporaryName() -> String { ".\(uniqueName())\(temporaryEnding)" }

    /// Whether a name has the form of ``temporaryName()``.
    static func isTemporary(_ name: [UInt8]) -> Bool {
        let digits = name.dropFirst().dropLast(temporaryEnding.utf8.count)
        return name.first == UInt8(ascii: ".") && digits.count == 32
            && name.suffix(temporaryEnding.utf8.count).elementsEqual(temporaryEnding.utf8)
            && digits.allSatisfy(isHexadecimalDigit)
    }

    private static let temporaryEnding = ".packtool"

    /// The record that `packtool rewrite` keeps next to the files it wrote; never packed, and not a
    /// leftover.
    package static let rewriteRecord = ".packtool-rewrite.json"

    private static let exactNames: Set<String> = [
        ".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".svn", ".hg",
        ".Spotlight-V100", ".Trashes", ".fseventsd", rewriteRecord,
    ]
}
