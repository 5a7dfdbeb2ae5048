import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Lowered shares, and rollbacks from and to them.
@Suite(.eachStore) struct ShrunkRolloutTests {
    private let play: Playground

    init() throws { play = try Playground() }

    @discardableResult
    private func publish(_ number: Int) async throws -> Version {
        var request = try await play.request(
            ["index.html": "\(number)"], label: "\(number).0")
        request.conditions.rollout = 100
        return try await play.publish(request).version
    }

    @Test("a rollback to a release whose share was lowered left devices on the bad one")
    func aRollbackIsForEveryDevice() async throws {
        try await publish(1)
        let two = try await publish(2)
        let shrunk = try await play.change(.rollout(5, shrinks: true))
        #expect(shrunk.notes.contains { $0.contains("offered nothing") })
        try await publish(3)
        try await play.install()
        let back = try await play.change(.rollback(to: nil, isMandatory: true))
        #expect(back.after.version == two && back.after.entries.contains(where: \.isUnconditional))
        #expect(back.notes.contains { $0.contains("every device") })
        #expect(try await play.install().installed.version == two)
        #expect(try await play.install(into: "new").installed.version == two)
        #expect(try await play.verify().isSound)
    }

    @Test("a rollback to what was live already forced an update")
    func whatIsLiveIsNotGoneBackTo() async throws {
        try await publish(1)
        try await publish(2)
        let before = try play.publicContent()
        let report = try await play.change(.rollback(to: "2.0", isMandatory: true))
        #expect(report.outcome == .unchanged && report.notes == ["2.0 is live already"])
        #expect(try play.publicContent() == before)
        // Repeating the rollback changes nothing.
        try await play.change(.rollback(to: "1.0", isMandatory: true))
        let again = try await play.change(.rollback(to: "1.0", isMandatory: true))
        #expect(again.outcome == .unchanged)
    }

    @Test("each command shortened a pointer's life, and a weekly renewal did not keep it alive")
    func aLifeKeepsItsLength() async throws {
        try await play.publish(["index.html": "1"])
        let commands: [ChannelRequest.Command] = [
            .pause(bypasses: false), .renew, .resume, .renew, .pause(bypasses: true),
        ]
        for (week, command) in commands.enumerated() {
            let now = Playground.now.adding(days: 7 * (week + 1))
            let report = try await play.change(command, now: now)
            #expect(report.after.expires == now.adding(days: 90), "\(command)")
        }
    }

    @Test("a label that looked like a version named another release")
    func aLabelIsNoVersion() async throws {
        let label = "0123456789abcdef0123"
        await #expect(throws: Failure.publishLabelIsVersion(label: label)) {
            try await play.publish(["index.html": "1"], label: label)
        }
    }
}
