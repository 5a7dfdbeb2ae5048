package import PackGround

/// A state of a file in a store: equal until the file is replaced.
package struct Revision: Equatable, Sendable {
    /// Each kind of store has its own; two kinds never compare equal.
    package enum Value: Equatable, Sendable {
        case file(FileStatus.Edition)
        case number(UInt64)
        /// Of a file that was read over HTTP.
        case content(Digest)
        /// The ETag of a bucket, as it was given.
        case tag(String)
    }

    package let value: Value

    package init(_ value: Value) { self.value = value }
}
