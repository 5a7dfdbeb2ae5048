/// When a file may be replaced.
package enum ReplaceCondition: Equatable, Sendable {
    /// In any case.
    case always
    /// Nothing is there.
    case absent
    /// The file has not been replaced since it was read.
    case unchanged(Revision)
}
