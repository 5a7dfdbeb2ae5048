import PackGround

/// The folders of some places, each made once.
package struct FolderNames {
    /// All of them, the root (`""`) too.
    private(set) var names: Set<String> = [""]

    /// Makes the folders of a place that were not made before.
    mutating func make(for place: String, in root: Directory) throws(FileSystemError) {
        for folder in Self.folders(of: place) where names.insert(folder).inserted {
            try root.makeDirectory(folder)
        }
    }

    /// The folders that a place is in, the outermost first, without the root.
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
