package import PackRelease

/// A file of `site/`, which is a copy of an object.
package struct SiteCopy: Equatable, Sendable {
    package let asset: Asset
    /// Whether it refers to other files: after a power cut it must not be there without those before it in the batch.
    package let isPage: Bool

    /// How many files a store copies at most without asking whether the rest is still wanted.
    package static let batchSize = 250

    package init(_ asset: Asset) {
        self.asset = asset
        isPage = MediaType.of(asset.path).contains("html")
    }

    /// Its place in `site/`.
    package var place: String { OriginLayout.site(asset.path) }
    /// The object that it is a copy of.
    package var object: String { OriginLayout.objectPlace(asset) }
}
