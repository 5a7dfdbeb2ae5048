import PackGround
import PackRelease

/// The releases whose files pages of this process still use; an update does not remove them.
final class TreeLeases: Sendable {
    private let counts = Locked<[Version: Int]>([:])

    /// Keeps a release until the returned object is released.
    func lease(_ version: Version) -> any AnyObject & Sendable { Lease(version, self) }

    var versions: Set<Version> { Set(counts.withLock { $0.keys }) }

    private func add(_ version: Version, _ change: Int) {
        counts.withLock { counts in
            let count = counts[version, default: 0] + change
            counts[version] = count > 0 ? count : nil
        }
    }

    private final class Lease: Sendable {
        private let version: Version
        private let leases: TreeLeases

        init(_ version: Version, _ leases: TreeLeases) {
            self.version = version
            self.leases = leases
            leases.add(version, 1)
        }

        deinit { leases.add(version, -1) }
    }
}
