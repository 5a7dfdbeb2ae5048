import PackGround

/// The bytes that a client read from an origin, by what they were.
package struct FetchedBytes: Equatable, Sendable {
    package var pointer: UInt64 = 0
    /// Log entries: the pointer's own, as long as pointers are unsigned, and those in which a way
    /// of two deltas was searched.
    package var log: UInt64 = 0
    /// Trust roots, which are fetched when they change.
    package var roots: UInt64 = 0
    package var info: UInt64 = 0
    package var deltas: UInt64 = 0
    package var package: UInt64 = 0
    /// Single files, where the package could not be had.
    package var files: UInt64 = 0

    /// Nothing was read.
    package init() {}

    /// What two parts of one run read.
    func adding(_ other: FetchedBytes) -> FetchedBytes {
        var sum = self
        for part in [
            \FetchedBytes.pointer, \.log, \.roots, \.info, \.deltas, \.package, \.files,
        ] { sum[keyPath: part] = sum[keyPath: part].addingClamped(other[keyPath: part]) }
        return sum
    }

    package var total: UInt64 {
        [pointer, log, roots, info, deltas, package, files].clampedSum { $0 }
    }
}
