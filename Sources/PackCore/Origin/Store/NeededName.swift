package import PackGround

/// A name that a publish is going to use.
package struct NeededName: Equatable, Sendable {
    package let place: String
    package let kind: FileStatus.Kind
    /// For messages, with its article.
    package let purpose: String

    package init(_ place: String, _ kind: FileStatus.Kind, _ purpose: String) {
        self.place = place
        self.kind = kind
        self.purpose = purpose
    }
}

/// Something else at a name that is needed.
package struct Obstacle: Equatable, Sendable {
    package let name: NeededName
    package let found: FileStatus.Kind
}
