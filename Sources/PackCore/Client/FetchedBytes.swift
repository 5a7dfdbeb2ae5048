import PackGround
import PackOrigin

/// The bytes read by a client from an origin, by kind of file.
package struct FetchedBytes: Equatable, Sendable {
    package var pointer: UInt64 = 0
    /// Log entries, searched for a route of two deltas.
    package var log: UInt64 = 0
    /// Trust roots, which are fetched when they change.
    package var roots: UInt64 = 0
    /// The manifest, fetched before single files.
    package var info: UInt64 = 0
    package var deltas: UInt64 = 0
    package var package: UInt64 = 0
    /// Single files, fetched if the package is not available.
    package var files: UInt64 = 0

    /// No bytes read.
    package init() {}

    /// A pointer, which has no bytes if the server confirmed an earlier answer.
    init(pointer file: StoredObject) {
        if !file.isConfirmed { pointer = UInt64(file.bytes.count) }
    }

    /// The sum for two parts of one run.
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
