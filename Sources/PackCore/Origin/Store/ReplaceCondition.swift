/// The condition for replacing a file.
package enum ReplaceCondition: Equatable, Sendable {
    /// Unconditionally.
    case always
    /// The file does not exist.
    case absent
    /// The file is unchanged since it was read.
    case unchanged(Revision)
}
