import Synchronization

/// The intent of a run in a store without a lock, written before the run decides what it needs.
package final class IntentHandle: Sendable {
    private struct State {
        var isInUse = false
        var mayBeNamed = false
    }

    let place: String
    private let state = Mutex(State())

    init(place: String) { self.place = place }

    /// Whether the run has begun to upload: it removes the intent itself when it has finished.
    var isInUse: Bool { state.withLock { $0.isInUse } }

    /// Whether a write is under way that names what the run has uploaded: if the run fails, its intent stays.
    ///
    /// A write that was not answered may still arrive, and a prune must not have deleted what it names. One that was
    /// answered is seen by every prune.
    var mayBeNamed: Bool { state.withLock { $0.mayBeNamed } }

    func use() { state.withLock { $0.isInUse = true } }

    /// Runs a write that names what the run has uploaded.
    ///
    /// - Parameter isOver: whether an error means that nothing of the write can arrive any more.
    func naming<Result>(
        isOver: (any Error) -> Bool = { _ in false }, _ write: () async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.mayBeNamed = true }
        do {
            let result = try await write()
            state.withLock { $0.mayBeNamed = false }
            return result
        } catch {
            if isOver(error) { state.withLock { $0.mayBeNamed = false } }
            throw error
        }
    }
}

extension IntentHandle? {
    /// The same, where the run may have announced nothing.
    func naming<Result>(
        isOver: (any Error) -> Bool = { _ in false }, _ write: () async throws -> Result
    ) async throws -> Result {
        guard let self else { return try await write() }
        return try await self.naming(isOver: isOver, write)
    }
}

/// How far a run has come with its commit: before it, nothing at the origin names what the run made.
final class CommitProgress: Sendable {
    enum Step {
        case before
        /// The log entry at this place may be there already.
        case begun(logEntry: String)
        case done
    }

    private let state = Mutex(Step.before)

    var step: Step {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A run found out that it has to write something, and has announced nothing.
struct IntentMissing: Error {}
