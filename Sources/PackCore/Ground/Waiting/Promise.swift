/// A value that one task produces while others wait for it.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, any Error>])
        case known(Result<Value, any Error>)
    }

    private let state = Locked(State.awaited([]))

    package init() {}

    /// Sets the value and resumes all waiting tasks; later calls change nothing.
    package func set(_ value: Value) { settle(.success(value)) }

    /// Resumes all waiting tasks with an error: there will be no value.
    package func abandon() { settle(.failure(PromiseCancelled())) }

    /// The value, once it is set.
    ///
    /// - Throws: ``PromiseCancelled`` if there will be none.
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

/// The task that would set a ``Promise`` failed; that task reports the reason.
package struct PromiseCancelled: Error {}
