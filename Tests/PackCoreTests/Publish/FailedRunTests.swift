import PackGround
import PackOrigin
import PackPublish
import PackRelease
import Synchronization
import TestSupport
import Testing

/// A failed run leaves no mark that blocks other runs.
@Suite struct FailedRunTests {
    private struct Full: Error {}

    private static let mark =
        "origin/.packtool/intents/production.\(String(repeating: "1", count: 32))"

    private static func prune(_ play: Playground) async throws -> PruneReport {
        let request = PruneRequest(
            keep: 1, graceDays: 0, delayHours: 0, now: Playground.now, jobs: 1)
        let plan = try await Pruner.plan(request, on: play.writable)
        let report = try await Pruner.run(request, on: play.writable)
        #expect(plan.deleted.map(\.path) == report.deleted.map(\.path))
        return report
    }

    private static func intents(_ play: Playground) throws -> [String] {
        try play.tree("origin/.packtool/intents").keys.sorted()
    }

    /// The first release is live, and one of its objects has different bytes of the same size.
    private static func damaged() async throws -> Playground {
        let play = try Playground()
        try await play.publish(Playground.first)
        let digest = StreamHasher.digest(of: Array(Playground.logo.utf8))
        try play.write(
            "origin/objects/\(digest)/logo.svg", Playground.logo.replacing("svg", with: "SVG"))
        return play
    }

    @Test("a refused publish to a directory was taken for a command at work")
    func aRefusedPublishLeavesNoIntent() async throws {
        let play = try await Self.damaged()
        let error = await #expect(throws: Failure.self) {
            try await play.publish(Playground.second)
        }
        #expect(error?.code.name == "publish.damaged")
        #expect(try Self.intents(play) == [])
        let overview = try await play.history().overview()
        #expect(overview.map(\.isUnderWay) == [false])
        // The next run uses its new objects, or a prune deletes them.
        #expect(try await Self.prune(play).deleted.count > 0)
    }

    @Test("a publish that ended with a full disk kept prune away for a day")
    func aKilledPublishKeepsNoPruneAway() async throws {
        let play = try Playground()
        try await play.publish(Playground.first)
        try play.write(Self.mark, "{\"startedAt\": \"\(Playground.now)\"}")
        let overview = try await play.history().overview()
        #expect(overview.map(\.isAtWork) == [false] && overview.map(\.isUnderWay) == [true])
        _ = try await Self.prune(play)
        // The mark shows the next publish that an unfinished run may exist.
        #expect(play.exists(Self.mark))
        #expect(try await play.publish(Playground.first).outcome == .completed)
        #expect(!play.exists(Self.mark))
    }

    @Test func underTheLockAPruneWaits() async throws {
        let play = try Playground()
        try await play.publish(Playground.first)
        try play.write(Self.mark, "{}")
        let workspace = try Directory.open(play.origin).directory(OriginLayout.workspace)
        guard let lock = try FileLock(in: workspace, name: OriginLayout.lock) else {
            Issue.record("somebody has the lock")
            return
        }
        let request = PruneRequest(
            keep: 1, graceDays: 0, delayHours: 0, now: Playground.now, jobs: 1)
        let busy = Failure.publishBusy(origin: play.origin)
        await #expect(throws: busy) { try await Pruner.plan(request, on: play.writable) }
        await #expect(throws: busy) { try await Pruner.run(request, on: play.writable) }
        #expect(try await play.history().overview().map(\.isAtWork) == [true])
        _ = consume lock
    }

    /// How a publish to a bucket ends, and whether its intent must stay.
    ///
    /// It stays after an unanswered write of a file that references uploads, and while files
    /// updated after the pointer are outdated, which `verify` would report as damage.
    private static let ends: [(change: String, staysAnnounced: Bool)] = [
        ("releases/", true), ("channels/production/log/", true),
        ("channels/production/pointer.json", true), ("info.json", true), ("site/", true),
        ("objects/", false),
    ]

    @Test(
        "a publish to a bucket that failed before its manifest kept prune away for a day",
        arguments: FailedRunTests.ends)
    func onlyWhatAPruneMustKnowKeepsItAway(_ change: String, _ staysAnnounced: Bool) async throws {
        let play = try Playground()
        let isArmed = Mutex(false)
        let store = MemoryStore(address: play.origin, scratch: play.path, isRemote: true) {
            let path =
                switch $0 {
                case .create(let path), .replace(let path), .delete(let path): path
                }
            if isArmed.withLock({ $0 }), path.hasPrefix(change), path.hasSuffix(".zip") == false {
                throw Full()
            }
        }
        _ = try await Publisher.publish(play.request(Playground.first), to: store)
        isArmed.withLock { $0 = true }
        let error = await #expect(throws: (any Error).self) {
            try await Publisher.publish(play.request(Playground.second), to: store)
        }
        let followers = ["info.json", "site/"]
        #expect(
            followers.contains(change)
                ? (error as? Failure)?.code == .publishLiveButOutdated : error is Full)
        let left = try await store.names(in: OriginLayout.intents)
        #expect(left.isEmpty != staysAnnounced, "\(left)")
    }
}
