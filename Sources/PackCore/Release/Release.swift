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
        self.assets = assets.sorted { $0.path < $1.path }
        var hasher = StreamHasher()
        for asset in self.assets { hasher.update(Self.line(asset)) }
        packageHash = hasher.finish()
    }

    /// The listing in the format of coreutils: `<sha256><two spaces><path><LF>` for each asset.
    package var listing: [UInt8] { assets.flatMap(Self.line) }

    private static func line(_ asset: Asset) -> [UInt8] {
        Array(asset.sha256.description.utf8) + [0x20, 0x20] + asset.path.bytes + [0x0A]
    }
}
