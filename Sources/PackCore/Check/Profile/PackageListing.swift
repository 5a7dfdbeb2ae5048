package import PackGround

/// The paths of a package, with the lookups used by clients.
package struct PackageListing: Sendable {
    /// Sorted by bytes.
    package let paths: [AssetPath]
    private let byPath: [[UInt8]: Int]
    private let byName: [[UInt8]: [Int]]
    private let byFoldedName: [[UInt8]: [Int]]
    private let byFoldedPath: [[UInt8]: Int]

    /// - Parameter paths: Distinct paths in any order.
    package init(_ paths: [AssetPath]) {
        let paths = paths.sorted()
        var byPath: [[UInt8]: Int] = [:]
        var byName: [[UInt8]: [Int]] = [:]
        var byFoldedName: [[UInt8]: [Int]] = [:]
        var byFoldedPath: [[UInt8]: Int] = [:]
        byPath.reserveCapacity(paths.count)
        byFoldedPath.reserveCapacity(paths.count)
        for (index, path) in paths.enumerated() {
            byPath[path.bytes] = index
            let name = path.fileName
            byName[name, default: []].append(index)
            byFoldedName[AssetPath.foldedKey(name[...]), default: []].append(index)
            let folded = AssetPath.foldedKey(path.bytes[...])
            if byFoldedPath[folded] == nil { byFoldedPath[folded] = index }
        }
        self.paths = paths
        self.byPath = byPath
        self.byName = byName
        self.byFoldedName = byFoldedName
        self.byFoldedPath = byFoldedPath
    }

    /// The file with exactly this path.
    package func index(of path: some Sequence<UInt8>) -> Int? { byPath[Array(path)] }

    /// The files whose last component is exactly this name, in listing order.
    package func indices(named name: some Sequence<UInt8>) -> [Int] { byName[Array(name)] ?? [] }

    /// The files whose last component equals this name after case folding and normalization.
    package func indices(foldedName name: some Sequence<UInt8>) -> [Int] {
        byFoldedName[AssetPath.foldedKey(Array(name)[...])] ?? []
    }

    /// The first file whose path equals this one after case folding and normalization.
    package func index(foldedPath path: some Sequence<UInt8>) -> Int? {
        byFoldedPath[AssetPath.foldedKey(Array(path)[...])]
    }

    /// Whether any path starts with these bytes.
    package func hasFiles(below prefix: ArraySlice<UInt8>) -> Bool {
        var low = 0
        var high = paths.count
        while low < high {
            let middle = (low + high) / 2
            if paths[middle].bytes.lexicographicallyPrecedes(prefix) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < paths.count && paths[low].bytes.starts(with: prefix)
    }
}
