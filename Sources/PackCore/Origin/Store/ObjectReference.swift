package import PackGround
package import PackRelease

/// A place and what must be there.
package struct ObjectReference: Equatable, Sendable {
    package let place: String
    package let content: FileDigest

    package init(_ place: String, _ content: FileDigest) {
        self.place = place
        self.content = content
    }

    package init(_ place: String, _ reference: ContentReference) {
        self.init(place, reference.content)
    }

    /// The object of an asset.
    package init(objectOf asset: Asset) {
        self.init(OriginLayout.objectPlace(asset), asset.content)
    }
}

extension Asset {
    /// What a file with the asset's content has.
    package var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}

extension ContentReference {
    /// What the file that is referred to has.
    package var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}
