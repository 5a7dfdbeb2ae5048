import PackGround

/// The folders of a set of keys, each created once.
package struct FolderNames {
    /// All folders, including the root (`""`).
    private(set) var names: Set<String> = [""]

    /// Creates the missing folders of a key.
    mutating func make(for place: String, in root: Directory) throws(Failure) {
        for folder in Self.folders(of: place) where names.insert(folder).inserted {
            try root.makeDirectory(folder)
        }
    }

    /// The parent folders of a key, outermost first, without the root.
    static func folders(of place: String) -> [String] {
        let bytes = place.utf8
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { String(place[..<$0]) }
    }

    package static func parent(of place: String) -> String { split(place).folder }

    package static func split(_ place: String) -> (folder: String, name: String) {
        guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", place) }
        return (String(place[..<slash]), String(place[place.utf8.index(after: slash)...]))
    }
}
