/// What desktops, version control and editors leave in a build output by accident.
///
/// The rules check one component and are never matched against the path above the build output: a
/// checkout below a directory named `.git` must not lose its files.
package enum JunkFiles {
    /// Whether a component names junk, which is excluded from hash and package and counted in every
    /// summary.
    package static func isJunk(_ component: [UInt8]) -> Bool {
        let name = String(decoding: component, as: UTF8.self)
        if exactNames.contains(name) { return true }
        if name.hasPrefix("._") || name.hasPrefix(".#") { return true }
        if name.hasSuffix("~") { return true }
        if name.hasPrefix("#"), name.hasSuffix("#"), name.utf8.count > 1 { return true }
        return name.hasPrefix(".") && [".swp", ".swo", ".swx"].contains { name.hasSuffix($0) }
    }

    /// Whether a path has a component that names junk.
    package static func isJunk(in path: AssetPath) -> Bool {
        path.bytes.split(separator: UInt8(ascii: "/")).contains { isJunk(Array($0)) }
    }

    /// The record that `packtool rewrite` keeps next to the files it wrote; never shipped, and not
    /// a leftover.
    package static let rewriteRecord = ".packtool-rewrite.json"

    private static let exactNames: Set<String> = [
        ".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".svn", ".hg",
        ".Spotlight-V100", ".Trashes", ".fseventsd", rewriteRecord,
    ]
}
