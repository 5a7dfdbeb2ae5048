import PackOrigin
import Synchronization

/// Keeps publishers of a store without a lock away while a root is published.
///
/// A publisher that has read the roots before could commit a pointer that the new root refuses: clients would get no
/// update, or, where the first root has a floor, nobody could follow that pointer.
final class RootAnnouncement: Sendable {
    private let store: any WritableStore
    private let clock: @Sendable () -> Timestamp
    private let intent: RootIntent
    /// Whether the root was sent and not answered: it may still come.
    private let isOnItsWay = Mutex(false)

    init(store: any WritableStore, clock: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.clock = clock
        intent = RootIntent(startedAt: store.time(clock()))
    }

    private var now: Timestamp { store.time(clock()) }

    /// Writes the intent, looks for publishers, and runs `body`, which sends the root.
    ///
    /// - Throws: ``PublishError/underWay(channel:place:)``; what `body` throws; an error of the store.
    func run<Result>(_ body: (RootAnnouncement) async throws -> Result) async throws -> Result {
        try store.checkClock()
        do {
            // The store proves by it that it keeps conditions, so it can be there although this fails.
            guard try await store.create([intent.upload]) == [.made] else {
                throw PublishError.busy(origin: store.address)
            }
            // What was looked at before does not show a publisher's intent.
            store.invalidateCache()
            for other in try await PublishIntent.all(store) where !other.isOver(now) {
                throw PublishError.underWay(
                    channel: other.channel, place: store.display(other.place))
            }
            let result = try await body(self)
            try await store.remove(RootIntent.left(store, now: now) + [intent.place])
            return result
        } catch {
            if !isOnItsWay.withLock({ $0 }) {
                try? await uncancelled { [store, intent] in try await store.remove([intent.place]) }
            }
            throw error
        }
    }

    /// Creates the root.
    ///
    /// - Throws: ``PublishError/tookTooLong(origin:)``; as ``WritableStore/create(_:)``.
    func send(_ root: Upload) async throws {
        guard intent.isTimeLeft(now) else { throw PublishError.tookTooLong(origin: store.address) }
        // A run that is cancelled ends with an answer, or publishers stay away until the request is over.
        try stopIfCancelled()
        isOnItsWay.withLock { $0 = true }
        do {
            _ = try await uncancelled { [store] in try await store.create([root]) }
        } catch {
            if error is StoreError || error.meansDenial { isOnItsWay.withLock { $0 = false } }
            throw error
        }
        isOnItsWay.withLock { $0 = false }
    }
}
