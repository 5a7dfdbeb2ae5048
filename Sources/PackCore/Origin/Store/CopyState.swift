/// A file of `site/`, compared with its object.
package enum CopyState: Sendable {
    /// Nothing is at its place.
    case missing
    /// The object itself under a second name, or a copy with the same content.
    case current
    case differs
    case unreadable(any Error)

    package var isCurrent: Bool {
        if case .current = self { true } else { false }
    }
}
