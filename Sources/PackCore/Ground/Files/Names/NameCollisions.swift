/// Finds paths that some client's file system cannot keep apart.
package enum NameCollisions {
    /// Finds each path that collides with an earlier one.
    ///
    /// Paths collide if they are the same, if they are equal after case folding or normalization,
    /// or if one is a file and another needs a directory of that name.
    ///
    /// - Parameter paths: In listing order; the later of two paths is reported.
    package static func find(in paths: [AssetPath]) -> [(path: AssetPath, problem: NameProblem)] {
        find(among: paths.map { Name(path: $0, isFile: true) })
    }

    /// A claimed name: a file, or a directory with its own entry (as in an archive).
    package struct Name {
        package let path: AssetPath
        package let isFile: Bool

        package init(path: AssetPath, isFile: Bool) {
            self.path = path
            self.isFile = isFile
        }
    }

    /// Finds collisions like ``find(in:)``, for files and directories mixed.
    package static func find(among names: [Name]) -> [(path: AssetPath, problem: NameProblem)] {
        var search = CollisionSearch(names)
        return search.run()
    }
}

/// The search for colliding names.
///
/// Names are sorted by their folded form, so names in one directory are neighbours. Directories
/// that contain a single name are skipped. Memory is a few words per name, however deep it is.
private struct CollisionSearch {
    private let names: [NameCollisions.Name]
    private let folded: [[UInt8]]
    /// Indices into ``names``, sorted by folded form.
    private var order: [Int]
    /// The length up to which each name has been compared.
    private var compared: [Int]
    private var problems: [Int: NameProblem] = [:]

    /// Neighbours in ``order`` whose folded forms are equal up to an offset.
    private struct Group {
        let members: Range<Int>
        let offset: Int
    }

    init(_ names: [NameCollisions.Name]) {
        let folded = names.map { Self.foldedKey($0.path) }
        self.names = names
        self.folded = folded
        compared = Array(repeating: 0, count: names.count)
        order = names.indices.sorted { one, other in
            Self.isBefore(folded[one], folded[other]) ?? (one < other)
        }
    }

    /// The folded form of a path; most paths are already folded and share their bytes.
    private static func foldedKey(_ path: AssetPath) -> [UInt8] {
        let isPlain = path.bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        return isPlain ? path.bytes : AssetPath.foldedKey(path.bytes[...])
    }

    /// Byte order, but with `/` first, so that the contents of a directory directly follow it.
    ///
    /// - Returns: `nil` for equal names.
    private static func isBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool? {
        let one = one.span
        let other = other.span
        let shared = min(one.count, other.count)
        var index = 0
        while index < shared, one[index] == other[index] { index += 1 }
        if index == shared { return one.count == other.count ? nil : one.count < other.count }
        if one[index] == UInt8(ascii: "/") { return true }
        if other[index] == UInt8(ascii: "/") { return false }
        return one[index] < other[index]
    }

    /// Compares outer directories first, because the outermost collision is reported.
    mutating func run() -> [(path: AssetPath, problem: NameProblem)] {
        var pending = [Group(members: order.indices, offset: 0)]
        while let group = pending.popLast() {
            var start = group.members.lowerBound
            while start < group.members.upperBound {
                let end = end(ofComponentAt: group.offset, in: folded[order[start]])
                var next = start + 1
                while next < group.members.upperBound,
                    hasSameComponent(order[start], order[next], group.offset..<end)
                {
                    next += 1
                }
                if next - start > 1 {
                    compare(start..<next, end: end)
                    // Names that end here are the first of their group.
                    let inner = (start..<next).first { folded[order[$0]].count > end } ?? next
                    pending.append(Group(members: inner..<next, offset: end + 1))
                }
                start = next
            }
        }
        return problems.sorted { $0.key < $1.key }.map { (names[$0.key].path, $0.value) }
    }

    private func end(ofComponentAt offset: Int, in name: [UInt8]) -> Int {
        let name = name.span
        var end = offset
        while end < name.count, name[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    private func hasSameComponent(_ one: Int, _ other: Int, _ range: Range<Int>) -> Bool {
        let one = folded[one]
        let other = folded[other]
        guard other.count >= range.upperBound else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            guard one[index] == other[index] else { return false }
            index += 1
        }
        if other.count == range.upperBound { return true }
        return other[range.upperBound] == UInt8(ascii: "/")
    }

    /// Compares names whose folded forms are equal up to the end of a component.
    private mutating func compare(_ members: Range<Int>, end: Int) {
        // The first in listing order keeps the name; the others collide with it.
        var first = order[members.lowerBound]
        for index in members where order[index] < first { first = order[index] }
        for index in members {
            let number = order[index]
            compared[number] = self.end(
                ofComponentAt: compared[number], in: names[number].path.bytes)
        }
        let taken = names[first].path.bytes[..<compared[first]]
        let isDirectory = !isFile(first, end)
        for index in members where order[index] != first {
            let number = order[index]
            guard problems[number] == nil else { continue }
            let isSame =
                isDirectory && !isFile(number, end)
                && names[number].path.bytes[..<compared[number]] == taken
            if !isSame { problems[number] = .collides(with: printable(taken)) }
        }
        for index in members { compared[order[index]] += 1 }
    }

    /// Whether a name is a file whose folded form ends at this offset.
    private func isFile(_ number: Int, _ end: Int) -> Bool {
        folded[number].count == end && names[number].isFile
    }
}
