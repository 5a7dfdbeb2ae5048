/// What a store does to keep publishers apart.
package enum ConditionalWrites: Sendable {
    /// A file is created only if nothing is there, and replaced only if it is unchanged; or there is a lock.
    case conditions
    /// A file is created only if nothing is there. Nothing is known of a file that is replaced.
    case createOnly
    /// Nothing: there must be one publisher.
    case none
}
