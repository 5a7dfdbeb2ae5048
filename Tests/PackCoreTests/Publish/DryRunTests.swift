import Foundation
import PackGround
import PackOrigin
import PackPublish
import TestSupport
import Testing

/// A dry run writes nothing and reports the result of the real run.
@Suite(.eachStore) struct DryRunTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var channel = "production"
        var label: String?
        var renew = false
        var days = 0
        let files: [String: String]
        let prepare: @Sendable (Playground) async throws -> Void

        init(
            _ name: String, _ files: [String: String], channel: String = "production",
            label: String? = nil, renew: Bool = false, days: Int = 0,
            prepare: @escaping @Sendable (Playground) async throws -> Void
        ) {
            testDescription = name
            self.files = files
            self.channel = channel
            self.label = label
            self.renew = renew
            self.days = days
            self.prepare = prepare
        }
    }

    private static let firstPublished: @Sendable (Playground) async throws -> Void = {
        try await $0.publish(Playground.first, label: "1.0")
    }

    private static let mainObject =
        "origin/objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))"

    static let situations: [Situation] = [
        Situation("no origin yet", Playground.first) { _ in },
        Situation("no origin yet, beta", Playground.first, channel: "beta", label: "b") { _ in },
        Situation("an empty directory", Playground.first) { try $0.makeDirectory("origin") },
        Situation("the next release", Playground.second, prepare: firstPublished),
        Situation(
            "the next release on beta", Playground.second, channel: "beta", prepare: firstPublished),
        Situation("the same", Playground.first, prepare: firstPublished),
        Situation("the same, renewed", Playground.first, renew: true, prepare: firstPublished),
        Situation("the same, expired", Playground.first, days: 91, prepare: firstPublished),
        Situation("the same, expiring soon", Playground.first, days: 80, prepare: firstPublished),
        Situation("another label", Playground.first, label: "2.0", prepare: firstPublished),
        Situation("back to an older one", Playground.first) {
            try await $0.publish(Playground.first)
            try await $0.publish(Playground.second)
        },
        Situation("site/ behind", Playground.first) {
            try await $0.publish(Playground.first)
            try $0.remove("origin/site/about")
            try $0.remove("origin/info.json")
        },
        Situation("an intent left over", Playground.first) {
            try await $0.publish(Playground.first)
            try $0.write("origin/.packtool/intents/production.\(uniqueName())", "{}")
        },
        Situation("an object missing", Playground.first) {
            try await $0.publish(Playground.first, label: "1.0")
            try $0.remove(mainObject)
        },
        Situation("a file where a directory will be", ["index.html": "x", "about": "now a file"]) {
            try await $0.publish(Playground.first)
        },
    ]

    @Test(arguments: situations) func saysWhatTheRealRunDoes(_ situation: Situation) async throws {
        let playground = try Playground()
        try await situation.prepare(playground)
        let request = try await playground.request(
            situation.files, label: situation.label, channel: situation.channel,
            now: Playground.now.adding(days: situation.days), renew: situation.renew, deltas: 3)
        let before = playground.exists("origin") ? try playground.tree("origin") : [:]
        let beside = try FileManager.default.contentsOfDirectory(atPath: playground.path).sorted()
        let plan = try await playground.plan(request)
        #expect((playground.exists("origin") ? try playground.tree("origin") : [:]) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: playground.path).sorted() == beside)

        let real = try await playground.publish(request)
        #expect(plan.outcome == real.outcome)
        #expect(plan.version == real.version)
        #expect(plan.packageHash == real.packageHash)
        #expect(plan.channel == real.channel)
        #expect(plan.sequence == real.sequence)
        #expect(plan.label == real.label)
        #expect(plan.expires == real.expires)
        #expect(plan.previous == real.previous)
        #expect(
            plan.files == real.files && plan.bytes == real.bytes && plan.leftOut == real.leftOut)
        #expect(plan.packageSize == real.packageSize)
        #expect(plan.packageExisted == real.packageExisted)
        #expect(plan.packageReused == real.packageReused)
        #expect(plan.objectsNew == real.objectsNew)
        #expect(plan.objectsReused == real.objectsReused)
        #expect(plan.siteNew == real.siteNew)
        #expect(plan.siteReplaced == real.siteReplaced)
        #expect(plan.siteReplacedPaths == real.siteReplacedPaths)
        #expect(plan.siteUnchanged == real.siteUnchanged)
        #expect(plan.deltas == real.deltas)
        #expect(plan.notes == real.notes)
    }

    /// Regression: without an origin, the label was not validated.
    @Test func regressionALabelThatIsTooLong() async throws {
        let playground = try Playground()
        let request = try await playground.request(
            Playground.first, label: String(repeating: "a", count: 201))
        await #expect(throws: Failure.publishLabelTooLong) { try await playground.plan(request) }
        await #expect(throws: Failure.publishLabelTooLong) { try await playground.publish(request) }
    }
}
