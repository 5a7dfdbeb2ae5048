import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Warnings that a command prints before devices are affected.
@Suite(.eachStore) struct ToldInTimeTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static func notes(_ notes: [String], _ text: String) -> Int {
        notes.count { $0.contains(text) }
    }

    @Test("the job of an old tag ran again, and its build went live without a word")
    func anEarlierBuildIsPutBack() async throws {
        let text = "was live before"
        for (files, label, count) in [
            (Playground.first, "1.0", 0), (Playground.second, "2.0", 0),
            (Playground.second, "2.0", 0),
            (Playground.first, "1.0", 1),
        ] {
            let report = try await play.publish(files, label: label)
            #expect(Self.notes(report.notes, text) == count, "\(report.notes)")
        }
        let report = try await play.publish(Playground.second, label: "2.0")
        #expect(
            report.notes.contains {
                $0.hasPrefix("'2.0' was live before (sequence 2) and was replaced")
            })
    }

    @Test("a folder inside the build was published in place of the app")
    func anotherFolder() async throws {
        let text = "is it the folder that you mean?"
        let first = try await play.publish(["index.html": "1", "static/a.js": "1"])
        #expect(Self.notes(first.notes, text) == 0)
        // In a build with hashed names, only the page keeps its name.
        let second = try await play.publish(["index.html": "2", "static/b.js": "2"])
        #expect(Self.notes(second.notes, text) == 0)
        let wrong = try await play.publish(["b.js": "2"])
        #expect(Self.notes(wrong.notes, text) == 1)
    }

    @Test("a typo in --channel made a new channel without a word")
    func aNewChannelOfAnOrigin() async throws {
        let first = try await play.publish(Playground.first)
        #expect(Self.notes(first.notes, "is new at this origin") == 0)
        let other = try await play.publish(Playground.first, channel: "prodcution")
        #expect(
            other.notes.contains("channel 'prodcution' is new at this origin, which has production")
        )
        let again = try await play.publish(Playground.second, channel: "prodcution")
        #expect(Self.notes(again.notes, "is new at this origin") == 0)
    }

    @Test("a rollback to a canary said nothing of its share")
    func aRollbackToAShare() async throws {
        try await play.publish(Playground.first, label: "1.0")
        var canary = try await play.request(Playground.second, label: "2.0")
        canary.conditions.rollout = 50
        try await play.publish(canary)
        try await play.publish(["index.html": "3"], label: "3.0")
        let back = try await play.change(.rollback(to: "2.0", isMandatory: true))
        #expect(back.after.rollout == 50)
        #expect(Self.notes(back.notes, "offered to 50 % of the devices") == 1)
    }

    @Test("the first release of a channel took over the share of the channel that it came from")
    func aFirstPromotionIsForAll() async throws {
        var canary = try await play.request(Playground.first, label: "1.0", channel: "beta")
        canary.conditions.rollout = 10
        try await play.publish(canary)
        let report = try await play.change(
            .promote(.init(source: try Channel("beta"), deltas: .init(count: 0))))
        #expect(report.after.rollout == 100 && report.after.entry.rolloutSalt == nil)
    }
}
