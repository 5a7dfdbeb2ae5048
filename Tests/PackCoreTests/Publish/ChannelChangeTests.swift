import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// The commands that change a channel without a build.
///
/// `change` also checks that a dry run gives the same result.
@Suite(.eachStore) struct ChannelChangeTests {
    /// 1.0 for all devices and 2.0 for 10 %.
    private func canary() async throws -> (Playground, one: Version, two: Version) {
        let playground = try Playground()
        let one = try await playground.publish(Playground.numbered(1), label: "1.0").version
        var request = try await playground.request(Playground.numbered(2), label: "2.0", deltas: 1)
        request.conditions.rollout = 10
        let report = try await playground.publish(request)
        let pointer = try #require(report.pointer)
        #expect(pointer.rollout == 10 && pointer.fallbacks.map(\.version) == [one])
        return (playground, one, report.version)
    }

    @Test func aCanaryGoesToEveryDevice() async throws {
        let (playground, one, two) = try await canary()
        try await playground.expectSite(one)
        let half = try await playground.change(.rollout(50, shrinks: false))
        #expect(
            half.outcome == .changed && half.after.rollout == 50 && half.siteReplaced.count == 0)
        #expect(half.after.previous == 2 && half.after.by == "a test")
        #expect(half.notes.contains { $0.hasSuffix("stay on 1.0") })
        try await playground.expectSite(one)
        let all = try await playground.change(.rollout(100, shrinks: false))
        #expect(all.after.fallbacks.isEmpty && all.siteReplaced.count == 2)
        #expect(all.notes.contains { $0.hasSuffix("get 2.0 at once") })
        try await playground.expectSite(two)
        #expect(try await playground.change(.rollout(100, shrinks: false)).outcome == .unchanged)
    }

    @Test func aLowerShareIsRefusedUnlessItIsMeant() async throws {
        let (playground, one, _) = try await canary()
        let request = try playground.request(.rollout(5, shrinks: false))
        await #expect(throws: Failure.channelWouldShrink(share: 10, to: 5)) {
            try await playground.change(request)
        }
        await #expect(throws: Failure.channelWouldShrink(share: 10, to: 5)) {
            try await playground.plan(request)
        }
        #expect(try await playground.change(.rollout(0, shrinks: true)).after.rollout == 0)
        try await playground.expectSite(one)
    }

    @Test func pauseAndResume() async throws {
        let (playground, one, _) = try await canary()
        let before = try await playground.pointer()
        let paused = try await playground.change(.pause(bypasses: true))
        #expect(!paused.after.isEnabled && paused.after.bypasses)
        #expect(paused.after.entries == before.entries)
        #expect(try await playground.change(.pause(bypasses: true)).outcome == .unchanged)
        // A second pause without `bypasses` does not change the first.
        #expect(try await playground.change(.pause(bypasses: false)).outcome == .unchanged)
        try await playground.expectSite(one)
        let resumed = try await playground.change(.resume)
        #expect(resumed.after.isEnabled && resumed.after.saysTheSame(as: before))
        #expect(try await playground.change(.resume).outcome == .unchanged)
    }

    // MARK: Back

    @Test func aRollbackOfACanary() async throws {
        let (playground, one, _) = try await canary()
        let report = try await playground.change(.rollback(to: nil, isMandatory: true))
        #expect(report.after.entries.map(\.version) == [one])
        #expect(report.after.isMandatory && report.after.mandatorySequence == 3)
        #expect(report.after.source == .init(channel: .production, sequence: 1))
        try await playground.expectSite(one)
    }

    @Test func aSecondRollbackGoesFurtherBack() async throws {
        let playground = try Playground()
        var versions: [Version] = []
        for number in 1...3 {
            versions.append(
                try await playground.publish(Playground.numbered(number), label: "\(number).0")
                    .version)
        }
        try await playground.change(.pause(bypasses: false))
        try await playground.change(.resume)
        let first = try await playground.change(.rollback(to: nil, isMandatory: true))
        #expect(first.after.version == versions[1])
        try await playground.expectSite(versions[1])
        try await playground.change(.pause(bypasses: false))
        let second = try await playground.change(.rollback(to: nil, isMandatory: false))
        #expect(second.after.version == versions[0] && !second.after.isEnabled)
        #expect(second.notes.contains { $0.contains("is paused") })
        await #expect(throws: Failure.channelNoEarlierRelease(channel: "production")) {
            try await playground.change(.rollback(to: nil, isMandatory: true))
        }
        // A name selects any release, including a newer one.
        let named = try await playground.change(.rollback(to: "3.0", isMandatory: true))
        #expect(named.after.version == versions[2])
        let byVersion = try await playground.change(
            .rollback(to: versions[1].description, isMandatory: true))
        #expect(byVersion.after.label == "2.0")
        await #expect(throws: Failure.channelNeverLive(name: "9.0", channel: "production")) {
            try await playground.change(.rollback(to: "9.0", isMandatory: true))
        }
        try await playground.expectSite(versions[1])
    }

    /// A rollback first reads its target, so that a release that cannot be installed is not
    /// offered.
    @Test(arguments: ["package.zip", "info.json", "object"])
    func aDamagedReleaseIsNotOffered(_ what: String) async throws {
        let (playground, one, _) = try await canary()
        try await playground.change(.rollout(100, shrinks: false))
        var path = "origin/releases/\(one)/\(what)"
        if what == "object" {
            let digest = StreamHasher.digest(of: Array("<h1>1</h1>\n".utf8))
            path = "origin/objects/\(digest)/index.html"
        }
        var bytes = try playground.read(path)
        bytes[bytes.count / 2] ^= 1
        try playground.overwrite(path, bytes)
        let before = try playground.publicContent()
        let request = try playground.request(.rollback(to: "1.0", isMandatory: true))
        for run in [playground.change, playground.plan] {
            let error = await #expect(throws: Failure.self) { _ = try await run(request) }
            #expect(error?.code == .channelReleaseDamaged)
        }
        #expect(try playground.publicContent() == before)
    }

    /// A rollback does not fail because of a damaged delta.
    @Test func aDamagedDeltaIsLeftOut() async throws {
        let (playground, one, two) = try await canary()
        try await playground.publish(Playground.numbered(3), label: "3.0")
        try playground.remove("origin/releases/\(two)/delta-\(one).zip")
        let report = try await playground.change(.rollback(to: "2.0", isMandatory: true))
        #expect(report.after.deltas == [] && report.after.version == two)
        #expect(report.notes.contains { $0.hasPrefix("no delta from \(one)") })
    }

    // MARK: Time

    @Test func aRenewalLastsAsLongAsBefore() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.numbered(1))
        let later = Playground.now.adding(days: 80)
        let report = try await playground.change(.renew, now: later)
        #expect(report.after.expires == later.adding(days: 90) && report.after.operation == .renew)
        let week = try await playground.change(.renew, now: later, lifetimeDays: 7)
        #expect(week.after.expires == later.adding(days: 7))
        // Another change keeps the length of the lifetime.
        let paused = try await playground.change(.pause(bypasses: false), now: later)
        #expect(paused.after.expires == later.adding(days: 7))
        let late = try await playground.change(.resume, now: later.adding(days: 8))
        #expect(late.after.expires == later.adding(days: 15))
        #expect(late.notes.contains { $0.hasPrefix("the pointer had expired") })
        let before = Timestamp(seconds: later.seconds)
        let error = await #expect(throws: Failure.self) {
            try await playground.change(.pause(bypasses: false), now: before)
        }
        #expect(error?.code == .publishClockBehind)
        // A run that started before the pointer was made does not have a wrong clock.
        var early = try playground.request(.pause(bypasses: false), now: before)
        early.later = { late.after.createdAt }
        #expect(try await playground.plan(early).after.createdAt == late.after.createdAt)
        #expect(try await playground.change(early).after.createdAt == late.after.createdAt)
    }

    @Test func aPointerWithoutAnEndIsNotRenewed() async throws {
        let playground = try Playground()
        try await playground.publish(
            playground.request(Playground.numbered(1), lifetimeDays: nil))
        #expect(try await playground.change(.renew).outcome == .unchanged)
        #expect(try await playground.change(.renew, lifetimeDays: 3).outcome == .changed)
    }

    // MARK: Nothing to change yet, or no longer

    @Test func noOriginAndNoRelease() async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin")
        await #expect(throws: Failure.originNotAnOrigin(path: playground.origin)) {
            try await playground.change(.resume)
        }
        try await playground.publish(Playground.numbered(1), channel: "beta")
        await #expect(
            throws: Failure.originNothingPublished(
                channel: "production", origin: playground.origin)
        ) { try await playground.change(.resume) }
    }

    /// An entry above the pointer belongs to an interrupted run.
    ///
    /// Its sequence is skipped, and it is not part of the history.
    @Test func aDeadEntryIsNotHistory() async throws {
        let (playground, one, _) = try await canary()
        try playground.copy("origin", to: "other")
        try await playground.change(.pause(bypasses: false))
        let dead = try playground.read("origin/channels/production/log/3.json")
        try playground.remove("origin")
        try playground.copy("other", to: "origin")
        try playground.write("origin/channels/production/log/3.json", dead)
        let report = try await playground.change(.rollout(100, shrinks: false))
        #expect(report.after.sequence == 4 && report.after.previous == 2)
        let past = try await playground.history().past(.production, limit: 9)
        #expect(past.map(\.sequence) == [4, 2, 1])
        let back = try await playground.change(.rollback(to: nil, isMandatory: true))
        #expect(back.after.version == one)
    }

    /// Repeating a command finishes a run that was killed after its commit point.
    @Test func anInterruptedChangeIsFinished() async throws {
        let (playground, one, two) = try await canary()
        let info = try playground.read("origin/info.json")
        try await playground.change(.rollout(100, shrinks: false))
        try playground.overwrite("origin/info.json", info)
        try playground.write(
            "origin/.packtool/intents/production." + String(repeating: "0", count: 32), "")
        #expect(try await playground.verify().isSound)
        let report = try await playground.change(.rollout(100, shrinks: false))
        #expect(report.outcome == .completed && report.after.version == two)
        try await playground.expectSite(two)
        _ = one
    }

    /// Regression: the `mandatory` of a rollback was passed on to the next release after a pause or
    /// a new share.
    @Test func theMandatoryOfARollbackEndsWithIt() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        try await playground.publish(Playground.second, label: "2.0")
        for between in [
            [], [.pause(bypasses: false), .resume], [.rollout(100, shrinks: false), .renew],
            [.pause(bypasses: true), .renew, .resume],
        ] as [[ChannelRequest.Command]] {
            try await playground.change(.rollback(to: "1.0", isMandatory: true))
            for command in between {
                try await playground.change(command, lifetimeDays: 30)
                #expect(try await playground.pointer().isMandatory)
            }
            // The target of the rollback stays mandatory; the next release is not.
            let next = try await playground.publish(
                ["index.html": "\(between.count) \(between)"])
            #expect(next.pointer?.isMandatory == false, "\(between)")
            try await playground.publish(Playground.second, label: "2.0")
        }
        // Options of the release itself are passed on.
        var request = try await playground.request(["index.html": "3"], lifetimeDays: nil)
        request.conditions.isMandatory = true
        try await playground.publish(request)
        try await playground.change(.pause(bypasses: false))
        try await playground.change(.resume)
        #expect(try await playground.publish(["index.html": "4"]).pointer?.isMandatory == true)
    }
}
