import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Publishing for some devices, to a paused channel, and with corrected options.
@Suite(.eachStore) struct PublishConditionTests {
    @Test func aLimitedReleaseLeavesInfoAndSite() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        let before = try playground.publicContent().filter {
            $0.key == "info.json" || $0.key.hasPrefix("site/")
        }
        var request = try await playground.request(Playground.second, label: "2.0")
        request.conditions.lowest = .all(.version(try NativeVersion("3")))
        let plan = try await playground.plan(request)
        let report = try await playground.publish(request)
        #expect(plan.siteReplaced.count == 0 && report.siteReplaced.count == 0)
        #expect(plan.pointerSize == report.pointerSize)
        #expect(report.notes.contains { $0.hasPrefix("info.json and site/ stay as they are") })
        let after = try playground.publicContent()
        for (path, bytes) in before { #expect(after[path] == bytes, "\(path)") }
        #expect(try await playground.verify().isSound)
        #expect(try await playground.publish(request).outcome == .unchanged)
        // The next publish keeps the limit; an explicit option removes it.
        let later = try await playground.publish(["index.html": "3"])
        #expect(later.pointer?.native[.ios].lowest != nil)
        var free = try await playground.request(["index.html": "3"])
        free.conditions.lowest = .all(.unlimited)
        let last = try await playground.publish(free)
        #expect(last.pointer?.native.isUnlimited == true && last.pointer?.fallbacks == [])
        #expect(
            try playground.read("origin/info.json")
                == playground.read("origin/releases/\(last.version)/info.json"))
        #expect(try await playground.verify().isSound)
    }

    /// If a channel's first release is limited to some devices, the channel has no `info.json` and
    /// `site/`.
    @Test func aLimitedFirstRelease() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.conditions.rollout = 1
        let plan = try await playground.plan(request)
        try await playground.publish(request)
        #expect(plan.siteNew.count == 0)
        #expect(!playground.exists("origin/info.json") && !playground.exists("origin/site"))
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        try await playground.change(.rollout(100, shrinks: false))
        #expect(playground.exists("origin/info.json") && playground.exists("origin/site"))
        #expect(try await playground.verify().isSound)
    }

    @Test func aPausedChannelWantsAnAnswer() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.change(.pause(bypasses: true))
        var request = try await playground.request(Playground.second)
        for run in [playground.publish, playground.plan] {
            await #expect(throws: Failure.publishPaused(channel: "production")) {
                _ = try await run(request)
            }
        }
        // The current release needs none.
        #expect(try await playground.publish(Playground.first).outcome == .unchanged)
        request = try await playground.request(Playground.second)
        request.staysPaused = true
        #expect(try await playground.publish(request).pointer?.isEnabled == false)
        #expect(try await playground.pointer().bypasses)
        request = try await playground.request(Playground.first)
        request.conditions.resumes = true
        #expect(try await playground.publish(request).pointer?.isEnabled == true)
        #expect(try await playground.pointer().bypasses == false)
    }

    @Test func aShareDoesNotShrinkByAccident() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        var request = try await playground.request(Playground.first)
        request.conditions.rollout = 10
        for run in [playground.publish, playground.plan] {
            let error = await #expect(throws: Failure.self) { _ = try await run(request) }
            #expect(error?.code == .publishWouldShrink)
        }
        request = try await playground.request(Playground.second)
        request.conditions.lowest = .all(.version(try NativeVersion("4")))
        request.conditions.highest = .all(.version(try NativeVersion("3")))
        await #expect(throws: Failure.publishNoNativeVersion(lowest: "4", highest: "3")) {
            try await playground.publish(request)
        }
        request.conditions.lowest[.ios] = .version(try NativeVersion("2"))
        await #expect(
            throws: Failure.publishNoNativeVersion(lowest: "4", highest: "3", platform: "Android")
        ) { try await playground.publish(request) }
        // Ranges without a common version are no mistake.
        request.conditions.highest[.android] = .unlimited
        #expect(try await playground.publish(request).pointer?.native[nil].isNowhere == true)
    }

    // MARK: A wrong base URL

    @Test func aWrongBaseURLIsCorrected() async throws {
        let playground = try Playground()
        let wrong = try await playground.publish(Playground.first, label: "1.0")
        let before = try playground.publicContent()
        let base = "https://right.example/shop"
        var request = try await playground.request(Playground.first, base: base)
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(request)
        }
        #expect(error?["canBeCorrected"] == "true")
        request.correctsManifest = true
        let plan = try await playground.plan(request)
        let report = try await playground.publish(request)
        #expect(report.version == wrong.version && report.label == "1.0")
        #expect(plan.pointerSize == report.pointerSize && plan.packageSize == report.packageSize)
        let pointer = try await playground.pointer()
        #expect(pointer.info.url.hasPrefix(base) && pointer.package.url.hasPrefix(base))
        // No published file has changed, and only a manifest was added.
        let after = try playground.publicContent()
        for (path, bytes) in before
        where !path.hasPrefix("channels/production/pointer") && path != "info.json" {
            #expect(after[path] == bytes, "\(path)")
        }
        let new = Set(after.keys).subtracting(before.keys).sorted()
        #expect(
            new == [
                "channels/production/log/2.json",
                "releases/\(wrong.version)/info-\(pointer.info.sha256.description.prefix(16)).json",
            ])
        #expect(after["info.json"] == after[new[1]])
        let verification = try await playground.verify()
        #expect(verification.isSound && verification.orphans == [], "\(verification.failures)")
        #expect(try await playground.install().outcome == .installed)
        // Now it is the release's manifest for this base URL.
        request.correctsManifest = false
        #expect(try await playground.publish(request).outcome == .unchanged)
        // The next release has deltas from it, and devices update with them.
        var next = try await playground.request(Playground.second, base: base)
        next.deltas = .init(count: 3)
        try await playground.publish(next)
        #expect(try await playground.install().outcome == .updated)
        #expect(try await playground.verify().isSound)
    }

    @Test func deltasOfACorrectedReleaseStay() async throws {
        let playground = try Playground()
        let files = { (number: Int) in
            ["index.html": (1...3000).map { "\($0 * 7919 % 99_991) " }.joined() + "\(number)"]
        }
        try await playground.publish(files(1))
        try await playground.install()
        try await playground.publish(files(2), deltas: 1)
        var request = try await playground.request(files(2), base: "https://right.example")
        request.deltas = .init(count: 1)
        request.correctsManifest = true
        let report = try await playground.publish(request)
        #expect(report.deltas.count == 1 && report.deltasKept == 1)
        // The delta creates the first manifest, so the client downloads the right one.
        let update = try await playground.install()
        #expect(update.installed.route == .delta && update.fetched.info == 0)
        #expect(try await playground.verify().isSound)
    }

    @Test func anotherAppIsNotACorrection() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        var request = try await playground.request(Playground.first, app: "bank")
        request.correctsManifest = true
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(request)
        }
        #expect(error?.code == .publishOtherApp)
    }
}
