import PackOrigin
import PackPublish
import PackVerify
import TestSupport
import Testing

/// `prune` and `site/`, in which a publish keeps files of earlier releases.
@Suite struct PrunedSiteTests {
    private static func time(_ days: Int) -> Timestamp {
        Timestamp(seconds: Playground.now.seconds + days * 86_400)
    }

    private static let pages = ["index.html": "<h1>page</h1>\n", "app.js": "one()\n"]

    private func publish(
        _ playground: Playground, _ files: [String: String], to channel: String = "production",
        at days: Int
    ) async throws {
        try await playground.publish(
            playground.request(files, channel: channel, now: Self.time(days), lifetimeDays: nil))
    }

    private func prune(
        _ playground: Playground, at days: Int, keep: Int = 1, delay: Int = 24
    ) async throws -> PruneReport {
        try await Pruner.run(
            PruneRequest(
                keep: keep, graceDays: 0, delayHours: delay, now: Self.time(days), jobs: 2),
            on: playground.writable)
    }

    /// Production no longer has `app.js`; another channel has one with different content.
    private func shop() async throws -> Playground {
        let playground = try Playground()
        try await publish(playground, Self.pages, at: 0)
        try await publish(
            playground, ["index.html": "<h1>beta</h1>\n", "app.js": "two()\n"], to: "beta", at: 1)
        try await publish(playground, ["index.html": "<h1>alone</h1>\n"], at: 2)
        return playground
    }

    /// Regression: `verify` reported the file as damaged because another release had the same name.
    ///
    /// Found by seeds 1299, 2448 and others of the schedules.
    @Test func aFileOfAPrunedReleaseGoesThoughAnotherReleaseHasItsName() async throws {
        let playground = try await shop()
        let first = try await prune(playground, at: 10)
        #expect(first.waiting.contains { $0.path == "site/app.js" })
        #expect((try await playground.verify()).failures.isEmpty)
        let second = try await prune(playground, at: 12)
        #expect(second.deleted.contains { $0.path == "site/app.js" })
        #expect(!playground.exists("origin/site/app.js"))
        #expect(playground.exists("origin/site/index.html"))
        #expect((try await playground.verify()).failures.isEmpty)
    }

    @Test func aFileThatAKeptReleaseGaveItsNameStays() async throws {
        let playground = try await shop()
        _ = try await prune(playground, at: 10, keep: 2, delay: 0)
        #expect(try playground.read("origin/site/app.js") == Array("one()\n".utf8))
        #expect((try await playground.verify()).failures.isEmpty)
    }

    /// A release below the mark with files waiting for a later prune still explains files in
    /// `site/`.
    @Test func verifyKnowsWhatWaitsBelowTheMark() async throws {
        let playground = try Playground()
        try await publish(playground, ["index.html": "<h1>0</h1>\n"], at: 0)
        try await publish(playground, Self.pages, at: 1)
        _ = try await prune(playground, at: 2)
        try await publish(
            playground, ["index.html": "<h1>beta</h1>\n", "app.js": "two()\n"], to: "beta", at: 2)
        try await publish(playground, ["index.html": "<h1>alone</h1>\n"], at: 3)
        // Deletes the first release, which moves the mark above the second, waiting one.
        let report = try await prune(playground, at: 5)
        #expect(!report.deleted.isEmpty)
        #expect(report.waiting.contains { $0.path == "site/app.js" })
        #expect((try await playground.verify()).failures.isEmpty)
        // Other content is still damage.
        try playground.remove("origin/site/app.js")
        try playground.write("origin/site/app.js", "own()\n")
        #expect(
            (try await playground.verify()).failures.map(\.path) == ["site/app.js"])
    }

    /// A publish was killed after its commit: old clients still read the previous release's
    /// `info.json`.
    @Test func whatInfoStillShowsIsNotPruned() async throws {
        let playground = try Playground()
        try await publish(playground, Self.pages, at: 0)
        let info = try playground.read("origin/info.json")
        try await publish(playground, ["index.html": "<h1>next</h1>\n"], at: 2)
        try playground.remove("origin/info.json")
        try playground.write("origin/info.json", info)
        let before = try playground.files("origin")
        let report = try await prune(playground, at: 40, delay: 0)
        #expect(report.deleted.isEmpty && report.waiting.isEmpty)
        #expect(report.notes.contains { $0.contains("publish the release again") })
        #expect(try playground.files("origin") == before)
        try await publish(playground, ["index.html": "<h1>next</h1>\n"], at: 41)
        #expect(!(try await prune(playground, at: 42, delay: 0)).deleted.isEmpty)
        #expect((try await playground.verify()).failures.isEmpty)
    }

    /// The same, but killed while it copied files to `site/`.
    @Test func whatSiteStillShowsIsNotPruned() async throws {
        let playground = try Playground()
        try await publish(playground, Self.pages, at: 0)
        try await publish(
            playground, ["index.html": "<h1>next</h1>\n", "app.js": "two()\n"], at: 2)
        try playground.remove("origin/site/app.js")
        try playground.write("origin/site/app.js", "one()\n")
        let report = try await prune(playground, at: 40, delay: 0)
        #expect(report.deleted.isEmpty && report.waiting.isEmpty)
        #expect(report.notes.contains { $0.contains("publish the release again") })
    }
}
