import Synchronization

/// The intent of a run in a store without a lock, written before the run decides what it needs.
final class Announcement: Sendable {
    let place: String
    private let used = Mutex(false)

    init(place: String) { self.place = place }

    /// Whether the run has begun to upload: its intent stays until the work is finished.
    var isInUse: Bool { used.withLock { $0 } }

    func use() { used.withLock { $0 = true } }
}

/// A run found out that it has to write something, and has announced nothing.
struct Unannounced: Error {}
