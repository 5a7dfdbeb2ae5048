package import PackGround

/// A name required by a publish.
package struct NeededName: Equatable, Sendable {
    package let path: String
    package let kind: FileStatus.Kind
    /// For messages, with its article.
    package let purpose: String

    package init(_ path: String, _ kind: FileStatus.Kind, _ purpose: String) {
        self.path = path
        self.kind = kind
        self.purpose = purpose
    }
}

/// An existing file or folder that blocks a required name.
package struct Obstacle: Equatable, Sendable {
    package let name: NeededName
    package let found: FileStatus.Kind
}
