package import PackOrigin
import Synchronization

/// Allows some changes of a ``MemoryStore``, then runs an action before or instead of the next one.
package final class ChangeScript: Sendable {
    package typealias Action = @Sendable (MemoryStore.Change) async throws -> Void
    private let state = Mutex<(left: Int, seen: [MemoryStore.Change], action: Action?)>(
        (.max, [], nil))

    package var seen: [MemoryStore.Change] { state.withLock { $0.seen } }

    package func run(after count: Int = .max, _ action: Action?) {
        state.withLock { $0 = (count, [], action) }
    }

    private func willChange(_ change: MemoryStore.Change) async throws {
        let action: Action? = state.withLock { state in
            state.seen.append(change)
            if state.left > 0 {
                state.left -= 1
                return nil
            }
            return state.action
        }
        try await action?(change)
    }

    /// A playground with a store like a bucket's that reports every change to a script.
    package static func scripted(
        _ guarantee: ConditionalWrites = .conditions
    ) throws -> (Playground, MemoryStore, ChangeScript) {
        let playground = try Playground()
        let script = ChangeScript()
        let store = MemoryStore(
            address: playground.origin, scratch: playground.path, guarantee: guarantee,
            isRemote: true
        ) {
            try await script.willChange($0)
        }
        return (playground, store, script)
    }
}
