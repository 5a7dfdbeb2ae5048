import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Promotes releases from one channel to another.
@Suite(.eachStore) struct PromotionTests {
    private func promotion(
        _ body: (inout ChannelRequest.Promotion) throws -> Void = { _ in }
    ) throws -> ChannelRequest.Command {
        var promotion = ChannelRequest.Promotion(
            source: try Channel("beta"), deltas: .init(count: 2))
        try body(&promotion)
        return .promote(promotion)
    }

    @Test func aPromotion() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.numbered(1), label: "1.0")
        var request = try await playground.request(
            Playground.numbered(2), label: "2.0", channel: "beta")
        request.conditions.lowest = .all(.version(try NativeVersion("3.2")))
        request.conditions.highest[.android] = .version(try NativeVersion("4"))
        let two = try await playground.publish(request)
        let packages = try playground.publicFiles().filter { $0.hasSuffix("package.zip") }
        let again = { (share: Int?) in
            try promotion {
                $0.conditions.rollout = share
                $0.conditions.lowest[.ios] = .version(try NativeVersion("3.3"))
            }
        }
        let report = try await playground.change(again(20))
        #expect(report.outcome == .changed && report.deltasNew.count == 1)
        let entries = report.after.entries
        #expect(entries.map(\.version) == [two.version, one.version])
        #expect(entries[0].label == "2.0" && entries[0].rollout == 20)
        #expect(
            entries[0].native.limits(of: "app")
                == [
                    "app 3.3 or later on iOS", "app 3.2 or later on Android",
                    "app 4 or earlier on Android",
                ])
        #expect(entries[0].deltas.map(\.from) == [one.version])
        #expect(report.after.source == .init(channel: try Channel("beta"), sequence: 1))
        #expect(
            try playground.publicFiles().filter { $0.hasSuffix("package.zip") } == packages)
        try await playground.expectSite(one.version)
        #expect(try await playground.change(again(nil)).outcome == .unchanged)
        // All remaining devices.
        let all = try await playground.change(
            promotion {
                $0.conditions.rollout = 100
                $0.conditions.lowest = .all(.unlimited)
                $0.conditions.highest[.android] = .unlimited
            })
        #expect(all.after.fallbacks.isEmpty && all.deltasNew.count == 0)
        try await playground.expectSite(two.version)
    }

    @Test func theFirstReleaseOfAChannelCanBePromoted() async throws {
        let playground = try Playground()
        let one = try await playground.publish(
            Playground.numbered(1), label: "1.0", channel: "beta")
        let report = try await playground.change(promotion())
        #expect(report.before == nil && report.after.sequence == 1)
        #expect(report.after.previous == nil && report.after.version == one.version)
        try await playground.expectSite(one.version)
    }

    @Test func refusedPromotions() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.numbered(1), label: "1.0")
        await #expect(
            throws: Failure.originNothingPublished(channel: "beta", origin: playground.origin)
        ) { try await playground.change(promotion()) }
        try await playground.publish(Playground.numbered(2), label: "2.0", channel: "beta")
        let same = try promotion { $0.source = .production }
        await #expect(throws: Failure.channelSameChannel(channel: "production")) {
            try await playground.change(same)
        }
        let unknown = try promotion { $0.release = "7.0" }
        await #expect(throws: Failure.channelNeverLive(name: "7.0", channel: "beta")) {
            try await playground.change(unknown)
        }
        try await playground.change(.pause(bypasses: false))
        await #expect(throws: Failure.publishPaused(channel: "production")) {
            try await playground.change(promotion())
        }
        let stays = try await playground.change(promotion { $0.staysPaused = true })
        #expect(!stays.after.isEnabled && stays.after.label == "2.0")
        let fewer = try promotion {
            $0.conditions.rollout = 10
            $0.staysPaused = true
        }
        let error = await #expect(throws: Failure.self) {
            try await playground.change(fewer)
        }
        #expect(error?.code == .publishWouldShrink)
        // Another release with the same label.
        try await playground.publish(Playground.numbered(3), label: "1.0", channel: "beta")
        let taken = await #expect(throws: Failure.self) {
            try await playground.change(promotion { $0.staysPaused = true })
        }
        #expect(taken?.code == .publishLabelTaken)
    }

    @Test func anotherBaseURLIsNotPromoted() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.numbered(1))
        var elsewhere = try await playground.request(
            Playground.numbered(2), channel: "beta", base: "https://other.example/shop")
        elsewhere.correctsManifest = true
        try await playground.publish(elsewhere)
        let expected = Failure.channelOtherBaseURL(
            theirs: "https://other.example/shop", ours: Playground.base, channel: "production")
        await #expect(throws: expected) { try await playground.change(promotion()) }
    }

    @Test func aPromotionGivesAnotherLabel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.numbered(1), label: "1.0")
        try await playground.publish(Playground.numbered(2), label: "2.0-rc1", channel: "beta")
        let report = try await playground.change(promotion { $0.label = "2.0" })
        #expect(report.after.label == "2.0")
        #expect(try await playground.change(promotion { $0.label = "2.0" }).outcome == .unchanged)
        let beta = try await playground.history().reader.pointer(Channel("beta"))
        #expect(beta?.pointer.label == "2.0-rc1", "the other channel keeps its name for it")
        // A rollback finds it by the new label.
        try await playground.publish(Playground.numbered(3), label: "3.0")
        let back = try await playground.change(.rollback(to: "2.0", isMandatory: false))
        #expect(back.after.version == report.after.version && back.after.label == "2.0")
        for (label, code) in [
            ("1.0", "publish.label-taken"), ("", "publish.label-too-long"),
            ("\(report.after.version)", "publish.label-is-version"),
        ] {
            let error = await #expect(throws: Failure.self) {
                try await playground.change(promotion { $0.label = label })
            }
            #expect(errorCode(error) == code)
        }
    }
}
