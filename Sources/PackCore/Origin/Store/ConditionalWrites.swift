/// The support of a store for concurrent publishers.
package enum ConditionalWrites: Sendable {
    /// Creates only absent files and replaces only unchanged files; or has a lock.
    case conditions
    /// Creates only absent files, but replaces files unconditionally.
    case createOnly
    /// No conditions: only one publisher is allowed.
    case none
}
