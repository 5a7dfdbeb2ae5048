import PackGround
import PackOrigin
import PackPublish
import PackRelease
import Synchronization
import TestSupport
import Testing

/// `keys publish` waits until the public address serves the root.
@Suite struct RootWatchTests {
    private let path = OriginLayout.root(2)

    /// Waits 60 seconds on a clock advanced only by pauses, with actions at given seconds.
    private func run(
        _ store: any OriginStore, at second: Double = .infinity,
        _ action: @escaping @Sendable () -> Void = {}
    ) async throws -> (seconds: Double, said: [String]) {
        let root = try TrustLab.signed(TrustLab.root(2, keys: [1]), by: [1])
        let now = Mutex(0.0)
        var said: [String] = []
        try await RootWatch(
            for: root, at: store, limit: 60, seconds: { now.withLock { $0 } },
            pause: { pause in
                let time = now.withLock {
                    $0 += pause
                    return $0
                }
                if time >= second { action() }
            }
        ).run { said.append($0) }
        return (now.withLock { $0 }, said)
    }

    private func store() throws -> MemoryStore {
        MemoryStore(address: "memory", scratch: try Playground().path)
    }

    private static var root: [UInt8] {
        get throws { try TrustLab.file(TrustLab.root(2, keys: [1]), by: [1]) }
    }

    @Test func whatIsThereNeedsNoPause() async throws {
        let store = try store()
        store.set(path, try Self.root)
        #expect(try await run(store).seconds == 0)
        #expect(try await run(CachedStore(store)).said == [])
    }

    @Test func itComesLater() async throws {
        let (store, root) = (try store(), try Self.root)
        let result = try await run(CachedStore(store), at: 20) { [path] in store.set(path, root) }
        #expect(result.seconds == 25)
        // Requested past the cache until it existed, so that the cache stored no 404.
        #expect(result.said == ["it is not there yet"])
    }

    @Test func aCacheHadKeptItsAbsence() async throws {
        let store = try store()
        let cache = CachedStore(store)
        _ = try await cache.read(path, limit: 9)
        store.set(path, try Self.root)
        let result = try await run(cache, at: 10) { cache.purge() }
        #expect(result.seconds == 15 && result.said == ["a cache still gives an older answer"])
    }

    @Test func itDoesNotCome() async throws {
        let store = try store()
        var error = await #expect(throws: Failure.self) { try await run(store) }
        #expect("\(try #require(error))".contains("after 60 seconds 'memory/root/2.json'"))
        #expect(error?["kept"] == "")
        let cache = CachedStore(store)
        _ = try await cache.read(path, limit: 9)
        store.set(path, try Self.root)
        error = await #expect(throws: Failure.self) { try await run(cache) }
        #expect(error?["kept"] == "https://cdn.example/root/2.json")
        #expect(error?.exitCode == .verification)
        store.set(path, Array("{}".utf8))
        error = await #expect(throws: Failure.self) { try await run(store) }
        #expect("\(try #require(error))".contains("something else is there"))
    }
}
