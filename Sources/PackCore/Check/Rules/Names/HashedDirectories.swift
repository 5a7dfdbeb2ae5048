import PackGround

/// Recognizes hashed names by the names next to them.
///
/// Eight base64 characters are a hash or a word: `Card-MyButton.css` and `Card-BHOjnVoc.css` look
/// alike. If nearly all names of a kind in a directory have this form, and many contain characters
/// unusual in words, a bundler wrote them.
struct HashedDirectories {
    /// A directory and a file extension.
    private struct Group: Hashable {
        let directory: [UInt8]
        let ending: String
    }

    private let hashed: Set<Group>

    init(_ paths: [AssetPath]) {
        var counts: [Group: (all: Int, shaped: Int, sure: Int)] = [:]
        for path in paths {
            let name = Self.plainName(path)
            let group = Self.group(path)
            counts[group, default: (0, 0, 0)].all += 1
            if Self.hasShape(name) { counts[group, default: (0, 0, 0)].shaped += 1 }
            if ContentHash.isIn(name) { counts[group, default: (0, 0, 0)].sure += 1 }
        }
        hashed = Set(
            counts.filter { _, count in
                count.all >= 4 && count.shaped * 10 >= count.all * 9 && count.sure * 2 >= count.all
            }.keys)
    }

    /// Whether the name has a hash, judged by itself or by its neighbors.
    func isHashed(_ path: AssetPath) -> Bool {
        let name = Self.plainName(path)
        return ContentHash.isIn(name) || (Self.hasShape(name) && hashed.contains(Self.group(path)))
    }

    private static func group(_ path: AssetPath) -> Group {
        let directory = path.directories.last.map(Array.init) ?? []
        return Group(directory: directory, ending: path.fileEnding)
    }

    /// The name without the extension of a source map.
    private static func plainName(_ path: AssetPath) -> [UInt8] {
        path.fileEnding == "map" ? path.fileName.dropLast(4) : path.fileName
    }

    /// A dot or dash, eight characters of URL-safe base64, then the extension.
    private static func hasShape(_ name: [UInt8]) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot >= 8 else { return false }
        let tail = name[(dot - 8)..<dot]
        let isBase64 = tail.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard isBase64 else { return false }
        // SvelteKit names chunks by the hash alone.
        return dot == 8 || name[dot - 9] == UInt8(ascii: ".") || name[dot - 9] == UInt8(ascii: "-")
    }
}
