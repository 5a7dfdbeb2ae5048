import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import Synchronization
import TestSupport
import Testing

/// A long run reads the pointer a second time before it switches.
@Suite(.eachStore) struct SecondLookTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static let pointer = "origin/channels/production/pointer.json"

    private func entry(_ sequence: Int) throws -> [UInt8] {
        try play.read("origin/channels/production/log/\(sequence).json")
    }

    /// 1.0 (sequence 1), 2.0 (sequence 2), then the changes made by `body`, with the pointer of 2.0
    /// restored.
    private func prepare(_ body: () async throws -> Void) async throws {
        try await play.publish(Playground.first, label: "1.0")
        try await play.publish(Playground.second, label: "2.0")
        try await body()
        try play.write(Self.pointer, entry(2))
    }

    /// A clock that makes each run take some seconds; when a run ends, the next pointer goes live.
    private func clock(
        _ seconds: Double, then pointers: [[UInt8]]
    ) -> @Sendable () -> Double {
        let calls = Mutex(0)
        return { [play] in
            let call = calls.withLock {
                $0 += 1
                return $0
            }
            // Each run reads the clock at its start, around unpacking, and at its end.
            let run = call / 4
            if call.isMultiple(of: 4), run <= pointers.count {
                try? play.write(Self.pointer, pointers[run - 1])
            }
            return Double(run) * seconds
        }
    }

    @discardableResult
    private func install(
        _ clock: (@Sendable () -> Double)?, trust: TrustPin? = nil
    ) async throws -> InstallReport {
        var request = InstallRequest(
            origin: play.origin, directory: play.client, channel: .production,
            now: Playground.now, jobs: 2, trust: trust)
        request.seconds = clock
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    @Test func aNewerPointerDecides() async throws {
        try await prepare { try await play.change(.rollback(to: "1.0", isMandatory: false)) }
        let report = try await install(clock(301, then: [entry(3)]))
        #expect(report.installed.label == "1.0" && report.state.sequence == 3)
        #expect(report.notes == ["a newer pointer went live during the run"])
        #expect(try play.text("client/current/index.html") == Playground.first["index.html"])
        // Both packages were downloaded.
        let whole = try await play.history().reader.pointer(.production)?.pointer.package.size ?? 0
        #expect(report.fetched.package > whole && whole > 0)
        #expect(!play.exists("client/.staging"))
    }

    @Test func aQuickRunDoesNotLook() async throws {
        try await prepare { try await play.change(.rollback(to: "1.0", isMandatory: false)) }
        let report = try await install(clock(300, then: [entry(3)]))
        #expect(report.installed.label == "2.0" && report.state.sequence == 2)
        #expect(try await install(nil).installed.label == "1.0")
    }

    /// The same release under a newer pointer is not downloaded a second time.
    @Test func theSameReleaseIsKept() async throws {
        try await prepare { try await play.change(.renew, lifetimeDays: 9) }
        let report = try await install(clock(301, then: [entry(3)]))
        #expect(report.installed.label == "2.0" && report.installed.sequence == 3)
        #expect(report.state.sequence == 3 && report.outcome == .installed)
        let pointer = try await play.pointer()
        #expect(report.fetched.package == pointer.package.size)
        #expect(report.fetched.pointer == UInt64(try entry(2).count + entry(3).count))
    }

    /// A release paused during the run is not installed.
    @Test func aPauseStopsIt() async throws {
        try await prepare { try await play.change(.pause(bypasses: false)) }
        await #expect(throws: Failure.installDisabled(channel: "production")) {
            try await install(clock(301, then: [entry(3)]))
        }
        #expect(!play.exists("client/current"))
        try play.remove("client")
        try play.write(Self.pointer, entry(1))
        try await install(nil)
        try play.write(Self.pointer, entry(2))
        await #expect(throws: Failure.installDisabled(channel: "production")) {
            try await install(clock(301, then: [entry(3)]))
        }
        #expect(try play.text("client/current/index.html") == Playground.first["index.html"])
        // The pause stays recorded.
        try play.write(Self.pointer, entry(2))
        await #expect(throws: Failure.installReplayed(offered: 2, seen: 3)) {
            try await install(nil)
        }
    }

    /// An older or unreadable pointer does not undo an accepted one.
    @Test func anotherAnswerChangesNothing() async throws {
        for (bytes, notes) in [(try? entry(1), 0), ([], 1), (Array("{}".utf8), 1)]
            as [([UInt8]?, Int)]
        {
            let lab = try SecondLookTests()
            try await lab.prepare {}
            let shown = try bytes ?? lab.entry(1)
            let report = try await lab.install(lab.clock(301, then: [shown]))
            #expect(report.installed.label == "2.0" && report.state.sequence == 2)
            #expect(report.notes.count == notes, "\(report.notes)")
        }
    }

    /// If every read finds another release, the run ends with one that was offered.
    @Test func aBoundOfLooks() async throws {
        try await prepare {
            for number in 3...7 {
                try await play.publish(["index.html": "\(number)"], label: "\(number).0")
            }
        }
        let report = try await install(clock(301, then: (3...7).map(entry)))
        #expect(report.installed.label == "5.0" && report.state.sequence == 5)
        #expect(try play.text("client/current/index.html") == "5")
    }

    /// With a root, its keys decide which pointer is newer, and a forged one has no effect.
    @Test func withARoot() async throws {
        for forged in [false, true] {
            let lab = try SecondLookTests()
            let root = try TrustLab.signed(TrustLab.root(1, keys: [1], release: [7]), by: [1])
            try lab.play.write("origin/root/1.json", root.bytes)
            for (label, files) in [("1.0", Playground.first), ("2.0", Playground.second)] {
                var request = try await lab.play.request(files, label: label, lifetimeDays: nil)
                request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
                try await lab.play.publish(request)
            }
            var newer = try await lab.play.pointer()
            if forged { newer.sequence += 1 }
            let bytes = try TrustLab.envelope(newer, by: [forged ? 8 : 7]).encode()
            try lab.play.write(Self.pointer, lab.entry(1))
            let report = try await lab.install(lab.clock(301, then: [bytes]), trust: .root(root))
            #expect(report.installed.label == (forged ? "1.0" : "2.0"), "\(report.notes)")
            #expect(report.notes.contains { $0.contains("could not be read again") } == forged)
        }
    }
}
