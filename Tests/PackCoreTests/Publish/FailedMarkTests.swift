import PackOrigin
import PackPublish
import PackRelease
import PackS3
import Synchronization
import TestSupport
import Testing

/// A run that ends while it announces itself in a bucket leaves no mark that blocks other runs.
@Suite struct FailedMarkTests {
    /// How a run ends during one of the requests that announce it.
    enum End: CaseIterable {
        case denied, cancelled
    }

    /// A command that announces itself.
    enum Command: CaseIterable {
        case prune, pin, root

        func run(on store: S3Store) async throws {
            let now = Playground.now
            switch self {
            case .prune:
                let request = PruneRequest(
                    keep: 1, graceDays: 0, delayHours: 0, now: now, jobs: 1)
                _ = try await Pruner.run(request, on: store)
            case .pin:
                let version = try #require(Version("0123456789abcdef0123"))
                let pin = Pin(channel: .production, version: version, createdAt: now, reason: nil)
                try await pin.record(at: store, clock: now)
            case .root:
                let file = try TrustLab.file(TrustLab.root(1, keys: [1]), by: [1])
                _ = try await RootPublisher.publish(file, path: "new", on: store, now: now)
            }
        }
    }

    private static func isMark(_ request: String) -> Bool {
        request.hasPrefix("PUT .packtool/intents/")
    }

    /// Runs a command in a bucket that ends it while it uploads a mark.
    ///
    /// - Returns: Whether the run got that far, and the files it left in the workspace.
    private func run(
        _ command: Command, _ end: End?, at point: Int
    ) async throws -> (isEnded: Bool, uploads: Int, left: [String]) {
        let playground = try Playground()
        let task = Mutex<Task<Void, any Error>?>(nil)
        let uploads = Mutex(0)
        let bucket = BucketTransport { request in
            guard Self.isMark(request) else { return nil }
            let number = uploads.withLock { count in
                count += 1
                return count
            }
            guard number == point else { return nil }
            switch end {
            case .denied:
                return (403, [:], Array("<Error><Code>AccessDenied</Code></Error>".utf8))
            case .cancelled: task.withLock { $0?.cancel() }
            case nil: break
            }
            return nil
        }
        bucket.set(".packtool/here.json", [])
        let store = try bucket.store(playground.path)
        let begun = LaterStart()
        let work = Task {
            await begun.wait()
            try await command.run(on: store)
        }
        task.withLock { $0 = work }
        begun.go()
        var isEnded = false
        do { try await work.value } catch { isEnded = true }
        let left = bucket.files.keys.filter { $0.hasPrefix(".packtool/intents/") }
        return (isEnded, uploads.withLock { $0 }, left.sorted())
    }

    @Test(
        "a prune that failed while it proved the store kept publishers away for an hour",
        arguments: Command.allCases, End.allCases)
    func noMarkIsLeft(_ command: Command, _ end: End) async throws {
        let whole = try await run(command, nil, at: 0)
        #expect(!whole.isEnded && whole.left == [] && whole.uploads > 2)
        for point in 1...whole.uploads {
            let found = try await run(command, end, at: point)
            #expect(found.isEnded, "at \(point)")
            #expect(found.left == [], "at \(point)")
        }
    }
}

/// Starts a task after its handle is known.
private final class LaterStart: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    func go() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}
