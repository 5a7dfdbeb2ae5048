import Synchronization

/// A value that one task makes, and that others need later than they begin.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, any Error>])
        case known(Result<Value, any Error>)
    }

    private let state = Mutex(State.awaited([]))

    package init() {}

    /// Gives the value to all who wait for it; later calls change nothing.
    package func set(_ value: Value) { settle(.success(value)) }

    /// Tells all who wait that there will be none.
    package func abandon() { settle(.failure(PromiseCancelled())) }

    /// - Throws: ``PromiseCancelled``.
    package var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .known(let result): return result
                    case .awaited(let waiting):
                        state = .awaited(waiting + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(with: known) }
            }
        }
    }

    private func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard case .awaited(let waiting) = state else { return [] }
            state = .known(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}

/// What would have made a ``Promise`` has failed, and says why itself.
package struct PromiseCancelled: Error {}
