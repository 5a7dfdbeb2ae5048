import PackGround
import PackOrigin

/// A run that keeps publishers away: a prune, or the publish of a root.
///
/// A publisher that has read the roots before could commit a pointer that the new root refuses:
/// clients would get no update, or, if the first root has a floor, no pointer could follow that one.
final class ExclusiveRun: Sendable {
    private let store: any WritableStore
    private let clock: @Sendable () -> Timestamp
    private let intent: RunIntent
    /// Whether a change was sent and not answered: it may still take effect.
    private let isPending = Locked(false)

    init(
        _ kind: RunIntent.Kind, on store: any WritableStore,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.clock = clock
        intent = RunIntent(kind, startedAt: store.time(clock()))
    }

    private var now: Timestamp { store.time(clock()) }

    /// Whether publishers still wait for this run.
    var isTimeLeft: Bool { store.isTimeLeft(intent, now: now) }

    /// The intents of other runs that may be at work.
    ///
    /// - Parameter isWanted: Selects intents by the first part of their names.
    func others(
        where isWanted: (String) -> Bool = { _ in true }
    ) async throws -> [RunIntent.Recorded] {
        try await RunIntent.recorded(store, except: intent.path, where: isWanted)
            .filter { store.mayBeAtWork($0, now: now) }
    }

    /// Announces the run and runs `body`, which may send changes.
    ///
    /// - Parameter reading: Runs once other commands can see this one.
    /// - Throws: ``Failure/publishBusy(origin:)``; errors of `reading`, `body` and of the store.
    func run<State, Result>(
        reading: () async throws -> State, _ body: (State) async throws -> Result
    ) async throws -> Result {
        do {
            // The store may test its conditional writes with the intent, which can exist despite an error.
            let state = try await store.announce(intent.upload) {
                // Cached answers are older than the intents of publishers.
                store.invalidateCache()
                return try await reading()
            }
            guard let state else { throw Failure.publishBusy(origin: store.address) }
            try await store.awaitGuarantee()
            let result = try await body(state)
            try await store.remove(
                store.leftIntents(now: now, except: intent.path, where: RunIntent.isExclusive)
                    + [intent.path])
            return result
        } catch {
            if !isPending.withLock({ $0 }) {
                try? await uncancelled { [store, intent] in try await store.remove([intent.path]) }
            }
            throw error
        }
    }

    /// Sends a change.
    ///
    /// Without an answer, publishers stay away until the intent is too old.
    ///
    /// - Parameter isOver: Whether the change cannot take effect after this error.
    func send(
        isOver: (any Error) -> Bool, _ change: @escaping @Sendable () async throws -> Void
    ) async throws {
        // A cancelled run ends with an answer, or publishers stay away until the request is over.
        try stopIfCancelled()
        isPending.withLock { $0 = true }
        do {
            try await uncancelled(change)
        } catch {
            if isOver(error) { isPending.withLock { $0 = false } }
            throw error
        }
        isPending.withLock { $0 = false }
    }
}
