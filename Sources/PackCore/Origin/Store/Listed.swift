/// A file that a store lists.
package struct Listed: Sendable {
    package let place: String
    /// Size in bytes.
    package let size: UInt64
}
