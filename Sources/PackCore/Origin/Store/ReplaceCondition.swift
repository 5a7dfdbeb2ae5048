/// The condition for replacing a file.
package enum ReplaceCondition: Equatable, Sendable {
    /// Whatever is there, or nothing.
    case always
    /// Nothing is there.
    case absent
    /// Nobody has replaced what was read.
    case unchanged(Revision)
}
