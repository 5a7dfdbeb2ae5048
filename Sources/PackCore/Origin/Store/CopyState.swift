/// A file of `site/`, compared with its object.
package enum CopyState: Sendable {
    /// The file does not exist.
    case missing
    /// A hard link to the object, or a copy with its content.
    case current
    case differs
    case unreadable(any Error)

    package var isCurrent: Bool {
        if case .current = self { true } else { false }
    }
}
