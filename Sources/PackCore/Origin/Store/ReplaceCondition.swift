/// What has to be true for a file to be replaced.
package enum ReplaceCondition: Equatable, Sendable {
    /// Whatever is there, or nothing.
    case always
    /// Nothing is there.
    case absent
    /// Nobody has replaced what was read.
    case unchanged(Revision)
}
