import PackGround

/// The folders of a set of keys, each created once.
package struct FolderNames {
    /// All folders, including the root (`""`).
    private(set) var names: Set<String> = [""]

    /// Creates the missing folders of a key.
    mutating func make(for path: String, in root: Directory) throws(Failure) {
        for folder in Self.folders(of: path) where names.insert(folder).inserted {
            try root.makeDirectory(folder)
        }
    }

    /// The parent folders of a key, outermost first, without the root.
    static func folders(of path: String) -> [String] {
        let bytes = path.utf8
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
    }

    package static func parent(of path: String) -> String { split(path).folder }

    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }
}
