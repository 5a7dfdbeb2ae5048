/// A state of a file in a store: equal as long as nobody has replaced the file.
package struct Revision: Equatable, Sendable {
    /// Each kind of store has its own; two kinds never compare equal.
    enum Value: Equatable, Sendable {
        case file(FileStatus)
        case number(UInt64)
    }

    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A file as a store gave it.
package struct Stored: Sendable {
    package let bytes: [UInt8]
    package let revision: Revision
}

/// What is at a place, without its content.
package struct StoredStatus: Equatable, Sendable {
    package let kind: FileStatus.Kind
    /// Size in bytes.
    package let size: UInt64

    /// Whether a file of so many bytes is there.
    func isFile(of size: UInt64) -> Bool { kind == .file && self.size == size }
}

/// A file that a store lists.
package struct Listed: Sendable {
    package let place: String
    /// Size in bytes.
    package let size: UInt64
}

/// A place and what has to be there.
package struct PlacedContent: Equatable, Sendable {
    package let place: String
    package let content: FileDigest

    package init(_ place: String, _ content: FileDigest) {
        self.place = place
        self.content = content
    }

    init(_ place: String, _ reference: ContentReference) {
        self.init(place, reference.content)
    }

    /// The object of an asset.
    init(objectOf asset: Asset) {
        self.init(OriginLayout.objectPlace(asset), asset.content)
    }
}

extension Asset {
    /// What a file with the asset's content has.
    var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}

extension ContentReference {
    /// What the file that is referred to has.
    var content: FileDigest { FileDigest(sha256: sha256, size: size) }
}
