package import PackGround

/// The status of a key, without its content.
package struct StoredStatus: Equatable, Sendable {
    package let kind: FileStatus.Kind
    /// Size in bytes.
    package let size: UInt64

    package init(kind: FileStatus.Kind, size: UInt64) {
        self.kind = kind
        self.size = size
    }

    /// Whether a file of that size exists.
    package func isFile(of size: UInt64) -> Bool { kind == .file && self.size == size }
}
