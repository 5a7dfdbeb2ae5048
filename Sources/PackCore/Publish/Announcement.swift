import Synchronization

/// The intent of a run in a store without a lock, written before the run decides what it needs.
final class Announcement: Sendable {
    private struct State {
        var isInUse = false
        var mayBeNamed = false
    }

    let place: String
    private let state = Mutex(State())

    init(place: String) { self.place = place }

    /// Whether the run has begun to upload: it removes the intent itself when it has finished.
    var isInUse: Bool { state.withLock { $0.isInUse } }

    /// Whether something of the store may name what the run has uploaded: if it fails, its intent stays.
    ///
    /// A write that was not answered may still come, and a prune must not have deleted what it names.
    var mayBeNamed: Bool {
        get { state.withLock { $0.mayBeNamed } }
        set { state.withLock { $0.mayBeNamed = newValue } }
    }

    func use() { state.withLock { $0.isInUse = true } }
}

/// A run found out that it has to write something, and has announced nothing.
struct Unannounced: Error {}
