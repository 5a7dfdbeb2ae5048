package import PackGround
package import PackRelease

/// A key with the expected content.
package struct ObjectReference: Equatable, Sendable {
    package let path: String
    package let content: FileDigest

    package init(_ path: String, _ content: FileDigest) {
        self.path = path
        self.content = content
    }

    package init(_ path: String, _ reference: ContentReference) {
        self.init(path, reference.content)
    }

    /// The object of an asset.
    package init(objectOf asset: Asset) {
        self.init(OriginLayout.objectPath(asset), asset.content)
    }
}

extension Asset {
    /// The digest of a file with the asset's content.
    package var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}

extension ContentReference {
    /// The digest of the referenced file.
    package var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}
