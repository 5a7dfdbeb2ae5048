import PackGround
import PackOrigin
import Synchronization

/// Keeps publishers away while a root is published.
///
/// A publisher that has read the roots before could commit a pointer that the new root refuses:
/// clients would get no update, or, if the first root has a floor, no pointer could follow that one.
final class RootAnnouncement: Sendable {
    private let store: any WritableStore
    private let clock: @Sendable () -> Timestamp
    private let intent: RunIntent
    /// Whether the root was sent and not answered: it may still take effect.
    private let isPending = Mutex(false)

    init(store: any WritableStore, clock: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.clock = clock
        intent = RunIntent(.root, startedAt: store.time(clock()))
    }

    private var now: Timestamp { store.time(clock()) }

    /// Announces the run, looks for publishers, and runs `body`, which sends the root.
    ///
    /// - Throws: ``Failure/publishUnderWay(channel:place:)``; errors of `body` and of the store.
    func run<Result>(_ body: (RootAnnouncement) async throws -> Result) async throws -> Result {
        try store.checkClock()
        do {
            // The store may test its conditional writes with the intent, which can exist despite an error.
            let isVisible: Void? = try await store.announce(intent.upload) {
                // Cached answers are older than the intents of publishers.
                store.invalidateCache()
                let publishers = try await RunIntent.recorded(store, except: intent.place) {
                    !RunIntent.isExclusive($0)
                }
                for other in publishers where store.mayBeAtWork(other, now: now) {
                    throw Failure.publishUnderWay(
                        channel: other.name, place: store.display(other.place))
                }
            }
            guard isVisible != nil else { throw Failure.publishBusy(origin: store.address) }
            let result = try await body(self)
            try await store.remove(
                store.leftIntents(now: now, except: intent.place, where: RunIntent.isExclusive)
                    + [intent.place])
            return result
        } catch {
            if !isPending.withLock({ $0 }) {
                try? await uncancelled { [store, intent] in try await store.remove([intent.place]) }
            }
            throw error
        }
    }

    /// Creates the root.
    ///
    /// - Throws: ``Failure/publishIntentExpired(origin:)``; errors of ``WritableStore/create(_:)``.
    func send(_ root: Upload) async throws {
        guard store.isTimeLeft(intent, now: now) else {
            throw Failure.publishIntentExpired(origin: store.address)
        }
        // A cancelled run ends with an answer, or publishers stay away until the request is over.
        try stopIfCancelled()
        isPending.withLock { $0 = true }
        do {
            _ = try await uncancelled { [store] in try await store.create([root]) }
        } catch {
            if error is StoreError || error.meansDenial { isPending.withLock { $0 = false } }
            throw error
        }
        isPending.withLock { $0 = false }
    }
}
