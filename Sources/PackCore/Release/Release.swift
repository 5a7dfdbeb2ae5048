package import PackGround

/// One asset with the hash of its content.
package struct Asset: Hashable, Sendable {
    package let path: AssetPath
    /// Size of the content in bytes.
    package let size: UInt64
    package let sha256: Digest

    package init(path: AssetPath, size: UInt64, sha256: Digest) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// The content of one release: its assets in listing order, and the hash of all of them.
package struct Release: Equatable, Sendable {
    /// Sorted by the bytes of the path.
    package let assets: [Asset]
    /// SHA-256 of ``listing`` (`docs/formats.md`).
    package let packageHash: Digest

    package var version: Version { Version(packageHash: packageHash) }
    package var totalBytes: UInt64 { assets.clampedSum(of: \.size) }

    /// Creates a release from its assets.
    ///
    /// - Parameter assets: In any order; every path once.
    package init(assets: [Asset]) {
        // Walks and manifests give them in order.
        let isSorted = zip(assets, assets.dropFirst()).allSatisfy { !($1.path < $0.path) }
        self.assets = isSorted ? assets : assets.sorted { $0.path < $1.path }
        var hasher = StreamHasher()
        var lines: [UInt8] = []
        for asset in self.assets {
            Self.appendLine(of: asset, to: &lines)
            guard lines.count >= Self.pieceSize else { continue }
            hasher.update(lines)
            lines.removeAll(keepingCapacity: true)
        }
        hasher.update(lines)
        packageHash = hasher.finish()
    }

    /// A path with different contents in two releases, or missing in one of them.
    package struct Difference: Sendable {
        /// The index in the old release.
        package let old: Int?
        /// The index in the new release.
        package let new: Int?
    }

    /// Compares two releases by path, in listing order.
    package func differences(from old: Release) -> [Difference] {
        var differences: [Difference] = []
        var (before, after) = (0, 0)
        while before < old.assets.count, after < assets.count {
            if old.assets[before].path == assets[after].path {
                if old.assets[before].sha256 != assets[after].sha256 {
                    differences.append(Difference(old: before, new: after))
                }
                before += 1
                after += 1
            } else if old.assets[before].path < assets[after].path {
                differences.append(Difference(old: before, new: nil))
                before += 1
            } else {
                differences.append(Difference(old: nil, new: after))
                after += 1
            }
        }
        differences += (before..<old.assets.count).map { Difference(old: $0, new: nil) }
        differences += (after..<assets.count).map { Difference(old: nil, new: $0) }
        return differences
    }

    private static let pieceSize = 16 << 10

    /// The listing in the format of coreutils: `<sha256><two spaces><path><LF>` for each asset.
    package var listing: [UInt8] {
        var lines: [UInt8] = []
        for asset in assets { Self.appendLine(of: asset, to: &lines) }
        return lines
    }

    private static func appendLine(of asset: Asset, to lines: inout [UInt8]) {
        asset.sha256.append(to: &lines)
        lines.append(0x20)
        lines.append(0x20)
        lines += asset.path.bytes
        lines.append(0x0A)
    }
}

extension [Asset] {
    /// The index of a path in a list sorted by path.
    ///
    /// - Parameter guess: An index to look at first.
    package func index(of path: AssetPath, startingAt guess: Int = 0) -> Int? {
        if indices.contains(guess), self[guess].path == path { return guess }
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].path == path ? low : nil
    }
}
