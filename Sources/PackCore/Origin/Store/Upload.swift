package import PackGround

/// A file to be written to a place, and what to do if the place is taken.
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
        /// Nothing can refer to what is there while another place is empty, and nobody else writes meanwhile: in a
        /// store without a lock the same as ``keep``.
        case replaceUnless(String)
        /// Nothing can refer to what was there.
        case replaceOnly(Revision)
    }

    package let place: String
    package var source: Source
    package let content: FileDigest
    /// What it is called in a staging.
    package var stagedName: String
    package var conflict = Conflict.keep
    /// Whether its name must be durable before the next file of the batch gets its own.
    package var isDurableFirst = false
    /// Whether there is time to read it back at once, in a store where that is a request of its own.
    package var isProvedAtOnce = false
    /// Counts its bytes as they are sent.
    package var counter: ProgressCounter?

    /// Some bytes.
    package init(_ place: String, _ bytes: [UInt8], stagedName: String = uniqueName()) {
        self.init(place, .bytes(bytes), FileDigest(of: bytes), stagedName: stagedName)
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
