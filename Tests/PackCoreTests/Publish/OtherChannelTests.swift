import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Publishing to a channel other than production.
@Suite(.eachStore) struct OtherChannelTests {
    @Test func anotherChannelLeavesProductionAlone() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.tree("origin")
        let report = try await playground.publish(Playground.second, channel: "beta")
        #expect(report.sequence == 1)
        #expect(report.previous == nil)
        #expect(report.objectsReused.count == 2)
        #expect(report.packageReused.count == 1)
        #expect(report.siteNew == Amount() && report.siteReplaced == Amount())
        let after = try playground.tree("origin")
        for (path, entry) in before
        where path == "info.json" || path.hasPrefix("channels/production") {
            #expect(after[path] == entry, "\(path)")
        }
        let site = { (tree: [String: TreeEntry]) in
            tree.filter { $0.key.hasPrefix("site") }.mapValues(\.bytes)
        }
        #expect(site(after) == site(before))
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(verification.channels.map(\.channel.description) == ["beta", "production"])

        // The same release on production reuses everything.
        let moved = try await playground.publish(Playground.second)
        #expect(moved.objectsNew == Amount())
        #expect(moved.packageExisted)
    }

    @Test func betaAloneHasNoSite() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, channel: "beta")
        #expect(!playground.exists("origin/info.json"))
        #expect(!playground.exists("origin/site"))
        #expect(try await playground.verify().isSound)
        #expect(
            try await playground.publish(Playground.first, channel: "beta").outcome == .unchanged)
    }
}
