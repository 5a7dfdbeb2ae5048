package import PackGround

/// A state of a stored file, equal until the file is replaced.
package struct Revision: Equatable, Sendable {
    /// The values of different kinds of stores never compare equal.
    package enum Value: Equatable, Sendable {
        case file(FileStatus.Edition)
        case number(UInt64)
        /// The content of a file read over HTTP.
        case content(Digest)
        /// The unmodified ETag of a bucket.
        case tag(String)
    }

    package let value: Value

    package init(_ value: Value) { self.value = value }
}
