/// The condition for replacing a file.
package enum ReplaceCondition: Equatable, Sendable {
    /// No condition.
    case always
    /// Nothing is there.
    case absent
    /// The file has not been replaced since it was read.
    case unchanged(Revision)
}
