package import PackRelease

/// A file of `site/`, copied from an object.
package struct SiteCopy: Equatable, Sendable {
    package let asset: Asset
    /// Whether it references other files.
    ///
    /// After a power cut, it must not exist without the files before it in the batch.
    package var isPage: Bool { MediaType.of(asset.path).contains("html") }

    /// The maximum number of files copied between two checks whether to continue.
    package static let batchSize = 250

    package init(_ asset: Asset) { self.asset = asset }

    /// Its key in `site/`.
    package var path: String { OriginLayout.site(asset.path) }
    /// The key of its source object.
    package var object: String { OriginLayout.objectPath(asset) }
}
