/// A number of files and their total size.
package struct Amount: Equatable, Sendable {
    package var count = 0
    package var bytes: UInt64 = 0

    /// Sizes may be untrusted.
    mutating func add(_ size: UInt64) {
        count += 1
        bytes = bytes.addingClamped(size)
    }
}
