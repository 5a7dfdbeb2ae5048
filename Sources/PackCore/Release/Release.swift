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
