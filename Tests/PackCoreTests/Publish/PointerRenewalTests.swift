import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Publishing the current release when its pointer has expired or will expire soon.
@Suite(.eachStore) struct PointerRenewalTests {
    @Test func renews() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        let later = Playground.now.adding(days: 30)
        let before = try playground.tree("origin")
        let report = try await playground.publish(Playground.first, now: later, renew: true)
        #expect(report.outcome == .renewed)
        #expect(report.sequence == 2)
        #expect(report.expires == later.adding(days: 90))
        #expect(report.label == "1.0")
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.createdAt == later)
        #expect(pointer.expires == later.adding(days: 90))
        #expect(pointer.label == "1.0")
        #expect(pointer.version == report.version)
        let after = try playground.tree("origin")
        #expect(Set(after.keys).subtracting(before.keys) == ["channels/production/log/2.json"])
        #expect(after["info.json"] == before["info.json"])
    }

    private static let expiryTable: [(Int, String, Int)] = [
        (0, "unchanged", 1), (89, "unchanged", 1), (90, "renewed", 2), (91, "renewed", 2),
    ]

    @Test(arguments: expiryTable) func anExpiredPointerIsRenewed(
        _ days: Int, _ outcome: String, _ sequence: Int
    ) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let now = Playground.now.adding(days: days)
        let report = try await playground.publish(Playground.first, now: now)
        #expect(report.outcome.rawValue == outcome)
        #expect(report.sequence == sequence)
        if days == 90 { #expect(report.expires == now.adding(days: 90)) }
    }

    private static let noteTable: [(Int, [String])] = [
        (75, []), (76, []), (77, ["the pointer expires in 13 days; run 'packtool renew'"]),
        (89, ["the pointer expires in 1 day; run 'packtool renew'"]),
    ]

    @Test(arguments: noteTable) func aPointerThatSoonExpiresIsNoted(
        _ days: Int, _ notes: [String]
    ) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let report = try await playground.publish(
            Playground.first, now: Playground.now.adding(days: days))
        #expect(report.notes == notes)
    }

    @Test func theSignerSignsARenewalToo() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let request = try await playground.request(
            Playground.first, renew: true, signer: { _ in [.init(keyID: "k", bytes: [1])] })
        _ = try await playground.publish(request)
        #expect(
            try playground.text("origin/channels/production/pointer.json").contains(
                "\"keyid\": \"k\""))
    }

    @Test func noLimitUnlessAsked() async throws {
        let playground = try Playground()
        let late = Playground.now.adding(days: 4000)
        let publish = { (days: Int?, now: Timestamp) in
            var request = try await playground.request(
                Playground.first, now: now, lifetimeDays: days)
            request.clock = now
            return try await playground.publish(request)
        }
        #expect(try await publish(nil, Playground.now).expires == nil)
        #expect(try playground.text("origin/channels/production/pointer.json").contains("payload"))
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.expires == nil)
        // Years later it is still current, and a request with a lifetime sets one.
        #expect(try await publish(nil, late).outcome == .unchanged)
        let limited = try await publish(30, late)
        #expect(limited.outcome == .renewed && limited.expires == late.adding(days: 30))
        pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.expires == late.adding(days: 30))
    }
}
