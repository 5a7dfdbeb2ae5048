import PackGround

/// A number of files and their total size.
package struct Amount: Equatable, Sendable {
    package var count = 0
    package var bytes: UInt64 = 0

    package init(count: Int = 0, bytes: UInt64 = 0) {
        self.count = count
        self.bytes = bytes
    }

    /// Adds a file; saturates, because sizes may be untrusted.
    package mutating func add(_ size: UInt64) {
        count += 1
        bytes = bytes.addingClamped(size)
    }
}
