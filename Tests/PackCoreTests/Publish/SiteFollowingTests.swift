import PackOrigin
import PackPublish
import PackRelease
import Synchronization
import TestSupport
import Testing

/// A slow publisher after its commit: another one commits and finishes before the first has updated
/// `info.json` and `site/`.
@Suite struct SiteFollowingTests {
    /// Runs an action once, before the first matching change.
    private final class Interruption: Sendable {
        typealias Action = @Sendable () async throws -> Void
        private let waiting = Mutex<(path: String, action: Action)?>(nil)
        private let replaced = Mutex<[String]>([])

        /// The paths replaced after the action.
        var later: [String] { replaced.withLock { $0 } }

        func run(before path: String, _ action: @escaping Action) {
            waiting.withLock { $0 = (path, action) }
        }

        func willChange(_ change: MemoryStore.Change) async throws {
            guard case .replace(let path) = change else { return }
            replaced.withLock { $0.append(path) }
            let action: Action? = waiting.withLock { waiting in
                guard waiting?.path == path else { return nil }
                defer { waiting = nil }
                return waiting?.action
            }
            guard let action else { return }
            try await action()
            replaced.withLock { $0 = [] }
        }
    }

    private static let third = [
        "index.html": "<h1>Shop 3</h1>\n", "about/index.html": "<h1>About 3</h1>\n",
        "static/main.js": "go(3)\n",
    ]

    /// Another publish runs completely while ours is about to replace one file after its commit.
    @Test(
        arguments: [
            "info.json", "site/static/new.js", "site/static/main.js", "site/about/index.html",
            "site/index.html",
        ])
    func anOlderReleaseDoesNotReplaceANewerOne(path: String) async throws {
        let playground = try Playground()
        let interruption = Interruption()
        let store = MemoryStore(address: playground.origin, scratch: playground.path) {
            try await interruption.willChange($0)
        }
        _ = try await Publisher.publish(playground.request(Playground.first), to: store)
        let ours = try await playground.request(Playground.second)
        var other = ours
        other.scan = try await playground.scan(Self.third, in: "other")
        let theirs = other
        let finished = Mutex<PublishReport?>(nil)
        interruption.run(before: path) {
            let report = try await Publisher.publish(theirs, to: store)
            finished.withLock { $0 = report }
        }
        let report = try await Publisher.publish(ours, to: store)
        let newer = try #require(finished.withLock { $0 })
        #expect(newer.sequence == report.sequence + 1)
        #expect(report.outcome == .published)
        #expect(report.notes.contains { $0.hasSuffix("(sequence \(newer.sequence))") })
        #expect(newer.notes == [])

        let release = theirs.scan.release
        #expect(
            store.file("info.json")?.bytes
                == store.file(OriginLayout.manifest(release.version))?.bytes)
        for asset in release.assets {
            let object = store.file(OriginLayout.objectPath(asset))?.bytes
            #expect(store.file("site/\(asset.path)")?.bytes == object, "\(asset.path)")
        }
        // Only the file being replaced was corrected; later ones were not written.
        let isShared = release.assets.contains { "site/\($0.path)" == path }
        #expect(interruption.later == (isShared ? [path] : []))
        #expect(try await Publisher.publish(theirs, to: store).outcome == .unchanged)
    }
}
