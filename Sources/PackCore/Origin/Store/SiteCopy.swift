/// A file of `site/`, which is a copy of an object.
package struct SiteCopy: Equatable, Sendable {
    package let asset: Asset
    /// Whether it refers to others: after a power cut it must not be there without those before it in a batch.
    package let isPage: Bool

    package init(_ asset: Asset) {
        self.asset = asset
        isPage = MediaType.of(asset.path).contains("html")
    }

    /// Its place in `site/`.
    package var place: String { OriginLayout.site(asset.path) }
    /// The object that it is a copy of.
    package var object: String { OriginLayout.objectPlace(asset) }
}

/// A file of `site/`, compared with its object.
package enum CopyState: Sendable {
    /// Nothing is at its place.
    case missing
    /// The object itself under a second name, or a copy with the same content.
    case current
    case differs
    case unreadable(any Error)

    var isCurrent: Bool {
        if case .current = self { true } else { false }
    }
}
