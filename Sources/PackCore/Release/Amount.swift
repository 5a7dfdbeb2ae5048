/// A number of files and the bytes they hold.
package struct Amount: Equatable, Sendable {
    package var count = 0
    package var bytes: UInt64 = 0

    /// Sizes may be somebody else's, and lie.
    mutating func add(_ size: UInt64) {
        count += 1
        bytes = bytes.addingClamped(size)
    }
}
