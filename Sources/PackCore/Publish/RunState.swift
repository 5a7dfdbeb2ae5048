import PackGround
import PackOrigin

/// How far a run has come: this decides whether its intent must stay if it fails.
final class RunState: Sendable {
    private struct State {
        var isAnnounced = false
        var isWriting = false
        var mayBeNamed = false
        var logEntry: ObjectReference?
    }

    let intent: RunIntent
    private let state = Locked(State())

    init(_ intent: RunIntent) { self.intent = intent }

    /// Whether other commands have seen the run's intent or lock.
    var isAnnounced: Bool {
        get { state.withLock { $0.isAnnounced } }
        set { state.withLock { $0.isAnnounced = newValue } }
    }

    /// Whether the run has begun to write: it then removes its intent when it has finished.
    var isWriting: Bool {
        get { state.withLock { $0.isWriting } }
        set { state.withLock { $0.isWriting = newValue } }
    }

    /// The log entry that the run may have created.
    var logEntry: ObjectReference? {
        get { state.withLock { $0.logEntry } }
        set { state.withLock { $0.logEntry = newValue } }
    }

    /// Whether a write is pending that names the run's uploads.
    ///
    /// An unanswered write can still take effect, and a prune must not have deleted what it names.
    /// An answered one is visible to every prune.
    var mayBeNamed: Bool { state.withLock { $0.mayBeNamed } }

    /// Runs a write that names the run's uploads.
    ///
    /// - Parameter isOver: Whether the write cannot take effect after this error. It cannot after a
    ///   denial, an error of a file system, or a name that is taken.
    func naming<Result>(
        isOver: (any Error) -> Bool = { _ in false }, _ write: () async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.mayBeNamed = true }
        do {
            let result = try await write()
            state.withLock { $0.mayBeNamed = false }
            return result
        } catch {
            if error.meansDenial || isOver(error) { state.withLock { $0.mayBeNamed = false } }
            throw error
        }
    }
}

/// A run found out that it has to write, and was not announced.
struct IntentMissing: Error {}
