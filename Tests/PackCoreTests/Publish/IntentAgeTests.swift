import PackGround
import PackOrigin
import PackPublish
import PackVerify
import Synchronization
import TestSupport
import Testing

/// In a store without a lock, the age of an intent is measured with the local clock, even if
/// `SOURCE_DATE_EPOCH` sets the time of a release.
@Suite struct IntentAgeTests {
    private static let clock = Playground.now.adding(days: 3)

    /// A playground with one release in memory, and a second one dated three days ago.
    private static func begun(
        _ action: @escaping @Sendable (MemoryStore) async throws -> Void = { _ in }
    ) async throws -> (Playground, MemoryStore, PublishRequest) {
        let playground = try Playground()
        let pending = Mutex<MemoryStore?>(nil)
        let store = MemoryStore(address: playground.origin, scratch: playground.path) { change in
            // The intent is written, but not yet the files it announces.
            guard case .create(let path) = change, path.hasPrefix("objects/"),
                let store = pending.withLock({ $0.take() })
            else { return }
            try await action(store)
        }
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        pending.withLock { $0 = store }
        var second = try await playground.request(Playground.second)
        second.clock = clock
        return (playground, store, second)
    }

    private static func prune(_ store: MemoryStore) -> PruneRequest {
        PruneRequest(
            keep: 1, graceDays: 0, delayHours: 0, now: clock, jobs: 1)
    }

    @Test func aPruneWaitsForAPublishWhoseTimeIsOld() async throws {
        let refusals = Mutex<[String]>([])
        let (playground, store, second) = try await Self.begun { store in
            do {
                _ = try await Pruner.run(Self.prune(store), on: store)
            } catch let failure as Failure where failure.code == .pruneUnderWay {
                refusals.withLock { $0.append("\(failure)") }
            }
        }
        _ = try await Publisher.publish(second, to: store)
        let texts = refusals.withLock { $0 }
        #expect(texts.count == 1 && texts[0].contains("channel 'production'"), "\(texts)")
        let verified = try await OriginVerifier.verify(store, now: Self.clock, jobs: 1)
        #expect(verified.isSound, "\(verified.failures)")
        withExtendedLifetime(playground) {}
    }

    /// Regression: with a local clock ahead, a prune deleted files replaced or marked just before,
    /// although the store's clock was right.
    @Test("a prune of a bucket decided by a local clock that was wrong", arguments: [0, -11])
    func aPruneDecidesByTheStoresClock(hours: Int) async throws {
        let playground = try Playground()
        let store = MemoryStore(
            address: playground.origin, scratch: playground.path, secondsAhead: hours * 3600)
        for files in [Playground.first, Playground.second] {
            _ = try await Publisher.publish(playground.request(files), to: store)
        }
        func prune(hoursLater: Int, delay: Int) async throws -> PruneReport {
            let now = Timestamp(seconds: Playground.now.seconds + hoursLater * 3600)
            let request = PruneRequest(
                keep: 1, graceDays: 0, delayHours: delay, now: now, jobs: 1)
            return try await Pruner.run(request, on: store)
        }
        // By the local clock, the first release was replaced ten hours ago.
        let first = try await prune(hoursLater: 10, delay: 24)
        #expect(first.waiting.isEmpty == (hours < 0))
        _ = try await prune(hoursLater: 20, delay: 24)
        let last = try await prune(hoursLater: 40, delay: 24)
        #expect(last.deleted.isEmpty == (hours < 0))
        #expect(try await !prune(hoursLater: 60, delay: 24).deleted.isEmpty == (hours < 0))
    }

    @Test func aPruneThatWasKilledLongAgoStopsNoPublish() async throws {
        let (playground, store, second) = try await Self.begun()
        let path = ".packtool/intents/+prune.\(String(repeating: "0", count: 32))"
        let file = Array("{\"startedAt\": \"\(Self.clock.adding(days: -1))\"}\n".utf8)
        _ = try await store.create([Upload(path, file)])
        let report = try await Publisher.publish(second, to: store)
        #expect(report.outcome == .published)
        // The next prune removes it.
        _ = try await Pruner.run(Self.prune(store), on: store)
        #expect(try await store.names(in: ".packtool/intents") == [])
        withExtendedLifetime(playground) {}
    }
}
