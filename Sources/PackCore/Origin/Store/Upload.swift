/// A file that is to be at a place, and what becomes of one that is there already.
package struct Upload: Sendable {
    /// Where the bytes are.
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(in: Directory, named: String)
        /// A file in a ``Staging`` of the store, ready to get its place.
        case staged(in: Directory, named: String)
    }

    /// What to do where a place is taken by other content.
    package enum Conflict: Equatable, Sendable {
        /// A published name never changes.
        case keep
        /// Nothing can refer to what is there.
        case replace
        /// Nothing can refer to what is there as long as nothing is at another place.
        case replaceUnless(String)
    }

    package let place: String
    package var source: Source
    package let content: FileDigest
    /// What it is called in a staging.
    package var stagedName: String
    package var conflict = Conflict.keep
    /// Whether its name has to be durable before the next file of the batch gets its own.
    package var isDurableFirst = false

    /// Some bytes.
    package init(_ place: String, _ bytes: [UInt8], stagedName: String = uniqueName()) {
        self.init(
            place, .bytes(bytes),
            FileDigest(sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)),
            stagedName: stagedName)
    }

    package init(
        _ place: String, _ source: Source, _ content: FileDigest, stagedName: String = uniqueName()
    ) {
        self.place = place
        self.source = source
        self.content = content
        self.stagedName = stagedName
    }
}

/// What became of an upload.
package enum Created: Equatable, Sendable {
    case made
    /// The same content was there.
    case present
    /// Other content was there, to which nothing could refer.
    case replaced
}

/// What has to be true for a file to be replaced.
package enum ReplaceCondition: Equatable, Sendable {
    /// Whatever is there, or nothing.
    case always
    /// Nothing is there.
    case absent
    /// Nobody has replaced what was read.
    case unchanged(Revision)
}

/// Room on this machine for what is made for an origin, before it has its places.
///
/// A store that is a directory has it on its own file system, so that naming is all that is left to do.
package final class Staging: Sendable {
    package let directory: Directory
    private let remove: @Sendable () throws -> Void

    init(_ directory: Directory, remove: @escaping @Sendable () throws -> Void) {
        self.directory = directory
        self.remove = remove
    }

    /// Removes it with all that is still in it.
    func discard() throws { try remove() }
}
