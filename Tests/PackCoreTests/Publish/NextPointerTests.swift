import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Regressions of the next pointer.
///
/// A publish enabled a disabled channel, wrote expired pointers, and did not report a release as
/// live if a step after the commit point failed.
@Suite(.eachStore) struct NextPointerTests {
    private static func edited(_ playground: Playground) async throws {
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        pointer.sequence += 1
        pointer.isEnabled = false
        pointer.rollout = 5
        pointer.isMandatory = true
        pointer.native = NativeRanges(NativeRange(lowest: try NativeVersion("9.0")))
        let bytes = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.overwrite("origin/channels/production/pointer.json", bytes)
        try playground.write("origin/channels/production/log/\(pointer.sequence).json", bytes)
    }

    private static let publishes = [
        "other content", "a new label", "renewed", "a rollback", "the same",
    ]

    @Test(arguments: publishes) func regressionAKillSwitchStays(_ how: String) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.publish(Playground.second)
        try await Self.edited(playground)
        var request =
            switch how {
            case "other content": try await playground.request(["index.html": "3"])
            case "a new label": try await playground.request(Playground.second, label: "x")
            case "renewed": try await playground.request(Playground.second, renew: true)
            case "a rollback": try await playground.request(Playground.first)
            default: try await playground.request(Playground.second)
            }
        request.staysPaused = true
        for report in [try await playground.plan(request), try await playground.publish(request)] {
            let pointer = try #require(report.pointer)
            #expect(!pointer.isEnabled && pointer.rollout == 5 && pointer.isMandatory)
            #expect(report.notes.contains { $0.contains("is disabled: clients do not update") })
            #expect(report.notes.contains { $0.contains("rollout 5 %") })
        }
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.sequence == (how == "the same" ? 3 : 4))
        #expect(!pointer.isEnabled && pointer.rollout == 5 && pointer.isMandatory)
        #expect(pointer.native[nil].lowest?.description == "9.0")
    }

    // MARK: Time

    @Test func regressionATimeBeforeThePointerIsRefused() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.tree("origin").filter { $0.key != ".packtool/lock" }
        let earlier = Timestamp(seconds: Playground.now.seconds - 1)
        let expected = Failure.publishClockBehind(
            now: earlier.description, createdAt: Playground.now.description)
        for renew in [false, true] {
            let request = try await playground.request(
                renew ? Playground.first : Playground.second, now: earlier, renew: renew)
            await #expect(throws: expected) { try await playground.publish(request) }
            await #expect(throws: expected) { try await playground.plan(request) }
        }
        #expect(
            try playground.tree("origin").filter { $0.key != ".packtool/lock" }.keys == before.keys)
        // Nothing is written, so the time does not matter.
        #expect(try await playground.publish(Playground.first, now: earlier).outcome == .unchanged)
        // The same time is allowed, because a reproducible build has a fixed time.
        #expect(try await playground.publish(Playground.second).sequence == 2)
    }

    /// The time was read before another run made the pointer.
    @Test func regressionARunThatBeganEarlierIsNoClockBehind() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let now = Playground.now
        var request = try await playground.request(
            Playground.second, now: Timestamp(seconds: now.seconds - 5), lifetimeDays: 7)
        request.later = { Timestamp(seconds: now.seconds - 1) }
        await #expect(
            throws: Failure.publishClockBehind(
                now: Timestamp(seconds: now.seconds - 1).description, createdAt: now.description)
        ) { try await playground.publish(request) }
        request.later = { Timestamp(seconds: now.seconds + 3) }
        #expect(try await playground.plan(request).outcome == .published)
        #expect(try await playground.publish(request).outcome == .published)
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.createdAt == Timestamp(seconds: now.seconds + 3))
        #expect(pointer.expires == pointer.createdAt.adding(days: 7))
    }

    @Test func regressionAPointerThatHasExpiredIsNotWritten() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.clock = request.now.adding(days: 90)
        let late = request
        let expected = Failure.publishExpiredAtOnce(
            expires: "2027-02-19T08:00:00Z", clock: "2027-02-19T08:00:00Z")
        await #expect(throws: expected) { try await playground.plan(late) }
        await #expect(throws: expected) { try await playground.publish(late) }
        #expect(!playground.exists("origin"))
        request.clock = Timestamp(seconds: request.clock.seconds - 1)
        #expect(try await playground.publish(request).outcome == .published)
    }

    /// A SOURCE_DATE_EPOCH far in the future would make every later run fail, so it is reported.
    @Test func aPointerOfATimeToComeIsNoted() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.clock = Timestamp(seconds: request.now.seconds - 2 * 86_400)
        let notes = [
            try await playground.plan(request), try await playground.publish(request),
            try await playground.publish(request),
        ].map { report in report.notes.filter { $0.contains("ahead") } }
        let note =
            "the pointer is created at \(Playground.now), 2 days ahead of this machine's clock: until then every "
            + "change of the channel needs a later time in SOURCE_DATE_EPOCH"
        #expect(notes == [[note], [note], [note]])
        request = try await playground.request(Playground.second)
        request.clock = Timestamp(seconds: request.now.seconds - 86_399)
        let soon = try await playground.publish(request)
        #expect(soon.sequence == 2 && !soon.notes.contains { $0.contains("ahead") })
    }

    // MARK: After the commit point

    private static let inTheWay = ["a link", "a directory", "a pipe"]

    @Test(.directoryOnly, arguments: inTheWay) func regressionWhatIsInTheWayIsNamedBefore(
        _ what: String
    )
        async throws
    {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.remove("origin/info.json")
        let path = playground.origin + "/info.json"
        switch what {
        case "a link": try playground.link("origin/info.json", to: "/srv/info.json")
        case "a directory": try playground.makeDirectory("origin/info.json")
        default: #expect(mkfifo(path, 0o644) == 0)
        }
        let request = try await playground.request(Playground.second)
        for run in [playground.publish, playground.plan] {
            let error = await #expect(throws: Failure.self) { _ = try await run(request) }
            #expect(error?.code == .publishForeignFile)
            #expect(error?.description.contains(path) == true)
        }
        #expect(try await playground.reader().pointer(.production)?.pointer.sequence == 1)
        #expect(!playground.exists("origin/channels/production/log/2.json"))
    }

    /// The signer runs before the commit point and after all early checks.
    ///
    /// The obstacle it creates fails later.
    @Test(.directoryOnly) func regressionAFailureAfterTheCommitPointSaysThatTheReleaseIsLive()
        async throws
    {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let attempts = Attempts()
        let request = try await playground.request(
            Playground.second,
            progress: { progress in
                // The last progress report before the commit point.
                guard progress.phase == .verifying, attempts.isFirst else { return }
                try? playground.remove("origin/info.json")
                try? playground.write("origin/info.json/in/the/way", "x")
            })
        let error = await #expect(throws: Failure.self) {
            try await playground.publish(request)
        }
        let live = try #require(error)
        #expect(live.code == .publishLiveButOutdated)
        #expect(live["sequence"] == "2" && live["channel"] == "production")
        #expect(live["outdated"].split(separator: "\n").contains("info.json"))
        #expect(error?.exitCode == .couldNotDo)
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(pointer.sequence == 2 && pointer.version.description == live["version"])
        try playground.remove("origin/info.json")
        #expect(try await playground.publish(Playground.second).outcome == .completed)
        #expect(try await playground.verify().isSound)
    }

    private final class Attempts: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0
        var isFirst: Bool {
            lock.withLock {
                count += 1
                return count == 1
            }
        }
    }
}
