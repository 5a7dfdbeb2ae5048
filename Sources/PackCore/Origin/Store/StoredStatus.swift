package import PackGround

/// The status of a key, without its content.
package struct StoredStatus: Equatable, Sendable {
    package let kind: FileStatus.Kind
    /// Size in bytes.
    package let size: UInt64
    /// Whether the file is unchanged since an earlier run read the expected content from it.
    package let isProved: Bool

    package init(kind: FileStatus.Kind, size: UInt64, isProved: Bool = false) {
        self.kind = kind
        self.size = size
        self.isProved = isProved
    }

    /// Whether a file of that size exists.
    package func isFile(of size: UInt64) -> Bool { kind == .file && self.size == size }
}
