package import PackGround

/// A file to write to a key, and the policy if the key is taken.
package struct Upload: Sendable {
    /// The source of the bytes.
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(in: Directory, named: String)
        /// A file in a ``Staging`` of the store, ready to be renamed to its key.
        case staged(in: Directory, named: String)
    }

    /// The policy if a key already has other content.
    package enum Conflict: Equatable, Sendable {
        /// Keep the existing file: published names are immutable.
        case keep
        /// Replace the existing file: it has no references.
        case replace
        /// Replace exactly this revision, which has no references.
        case replaceOnly(Revision)
    }

    package let path: String
    package var source: Source
    package let content: FileDigest
    /// The file's name in a staging.
    package var stagedName: String
    package var conflict = Conflict.keep
    /// Whether the name must be durable before the next file of the batch is named.
    package var isDurableFirst = false
    /// Whether to read the file back immediately if verification costs a separate request.
    package var isProvedAtOnce = false
    /// Counts the bytes sent.
    package var counter: ProgressCounter?

    /// Creates an upload of in-memory bytes.
    package init(_ path: String, _ bytes: [UInt8], stagedName: String = uniqueName()) {
        self.init(path, .bytes(bytes), FileDigest(of: bytes), stagedName: stagedName)
    }

    package init(
        _ path: String, _ source: Source, _ content: FileDigest, stagedName: String = uniqueName()
    ) {
        self.path = path
        self.source = source
        self.content = content
        self.stagedName = stagedName
    }
}
