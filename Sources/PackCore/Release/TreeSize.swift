import PackGround

/// The size of a release's files, which a client must be ready to write before it has the manifest.
package struct TreeSize: Hashable, Sendable, CustomStringConvertible {
    /// The number of assets.
    package let assets: Int
    /// The bytes of all assets together.
    package let size: UInt64

    package init(assets: Int, size: UInt64) {
        self.assets = assets
        self.size = size
    }

    package init(of release: Release) {
        self.init(assets: release.assets.count, size: release.totalBytes)
    }

    package var description: String {
        "\(counted(assets, "asset")) with \(counted(Int(clamping: size), "byte"))"
    }
}
