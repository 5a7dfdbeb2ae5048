import Foundation
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Regressions: the seen sequence was stored only after an update.
///
/// After a rejected update or a kill, the client accepted an older pointer.
@Suite(.eachStore) struct SeenSequenceTests {
    /// Two releases; `old` is a copy of the origin after the first.
    private static func prepared() async throws -> Playground {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.copy("origin", to: "old")
        try await playground.publish(Playground.second)
        return playground
    }

    private func edit(_ playground: Playground, _ body: (inout Pointer) -> Void) async throws {
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        pointer.sequence += 1
        body(&pointer)
        let bytes = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.overwrite("origin/channels/production/pointer.json", bytes)
        try playground.write("origin/channels/production/log/\(pointer.sequence).json", bytes)
    }

    private func replay(_ playground: Playground) throws {
        try playground.remove("origin")
        try playground.copy("old", to: "origin")
    }

    private func state(_ playground: Playground) throws -> InstallState {
        try #require(try StateFile(directory: Directory.open(playground.client)).read())
    }

    private static let refusals = ["disabled", "expired", "damaged package", "missing package"]

    /// With and without an installed release.
    @Test(arguments: refusals, [true, false])
    func regressionARefusedUpdateCountsAsSeen(_ why: String, _ isInstalled: Bool) async throws {
        let playground = try await Self.prepared()
        if isInstalled {
            try playground.copy("origin", to: "new")
            try replay(playground)
            try await playground.install()
            try playground.remove("origin")
            try playground.copy("new", to: "origin")
        }
        let version = try #require(try await playground.reader().pointer(.production)).pointer
            .version
        var now = Playground.now
        switch why {
        case "disabled": try await edit(playground) { $0.isEnabled = false }
        case "expired":
            try await edit(playground) { _ in }
            now = now.adding(days: 100)
        case "damaged package":
            try await edit(playground) { _ in }
            try playground.overwrite("origin/releases/\(version)/package.zip", [1])
        default:
            try await edit(playground) { _ in }
            try playground.remove("origin/releases/\(version)/package.zip")
        }
        let error = await #expect(throws: (any Error).self) {
            try await playground.install(now: now)
        }
        let codes = [
            "disabled": "install.disabled", "expired": "install.expired",
            "missing package": "origin.missing",
        ]
        #expect(errorCode(error) == codes[why] ?? "origin.differs")
        #expect(try state(playground).sequence == 3)
        #expect(try state(playground).installed?.sequence == (isInstalled ? 1 : nil))
        try replay(playground)
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 3)) {
            try await playground.install()
        }
        #expect(playground.exists("client/current") == isInstalled)
        #expect(try state(playground).sequence == 3)
    }

    /// A new pointer to the same release, published after a rejection, is installed.
    @Test func aHigherPointerInstallsAfterARefusal() async throws {
        let playground = try await Self.prepared()
        try await edit(playground) { $0.isEnabled = false }
        await #expect(throws: Failure.installDisabled(channel: "production")) {
            try await playground.install()
        }
        #expect(Array(try playground.tree("client").keys) == ["state.json"])
        try await edit(playground) { $0.isEnabled = true }
        let report = try await playground.install()
        #expect(report.outcome == .installed)
        #expect(report.state.sequence == 4 && report.installed.sequence == 4)
    }

    /// A kill before the commit leaves a state with the pointer seen but not installed.
    @Test func regressionAKillBeforeTheCommitDoesNotLetAnOlderPointerPass() async throws {
        let playground = try await Self.prepared()
        var state = try await playground.install().state
        let installed = try #require(state.installed)
        state.trees = []
        state.current = nil
        try playground.overwrite("client/state.json", state.encode())
        try replay(playground)
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 2)) {
            try await playground.install()
        }
        try playground.remove("origin")
        try await playground.publish(Playground.first)
        try await playground.publish(Playground.second)
        let report = try await playground.install()
        #expect(report.outcome == .installed)
        #expect(report.installed.version == installed.version && report.installed.sequence == 2)
    }

    /// Same sequence and release, but another payload: two conflicting views of one channel.
    @Test func anotherPayloadUnderOneSequence() async throws {
        let playground = try await Self.prepared()
        try await playground.install()
        try await edit(playground) {
            $0.sequence -= 1
            $0.isMandatory = true
        }
        await #expect(throws: Failure.installSplitView(sequence: 2)) {
            try await playground.install()
        }
    }

    /// States of the first schema may have no payload hash.
    ///
    /// They are still read, and the hash is added.
    @Test func aStateOfTheFirstSchemaIsRead() async throws {
        let playground = try await Self.prepared()
        let state = try await playground.install().state
        let installed = try #require(state.installed)
        let text = """
            {"schema": 1, "kind": "packtool-installation", "app": "shop", "channel": "production",
             "version": "\(installed.version)", "packageHash": "\(installed.packageHash)",
             "sequence": 2, "device": "\(state.device ?? "")", "label": null, "road": "package",
             "installedAt": "\(installed.installedAt)"}
            """
        try playground.write("client/state.json", text)
        #expect(try self.state(playground).seen.payloadHash == nil)
        var confirmed = state
        confirmed.trees[0].isConfirmed = true
        #expect(try await playground.install().state.trees == confirmed.trees)
        #expect(try self.state(playground).seen == state.seen)
        try playground.write("client/state.json", text)
        try replay(playground)
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 2)) {
            try await playground.install()
        }
    }

    // MARK: Memory of a delta

    /// Regression: a delta was applied although it needs more memory than its pointer declares.
    @Test func regressionADeltaThatNeedsMoreThanStatedIsNotApplied() async throws {
        let playground = try Playground()
        let files = { (number: Int) in
            [
                "index.html": "<h1>\(number)</h1>",
                "a.js": "// \(number)\n" + (1...3000).map { "f(\($0 * 7919 % 99_991));" }.joined(),
            ]
        }
        try await playground.publish(files(1))
        try await playground.install()
        let report = try await playground.publish(files(2), deltas: 1)
        let delta = try #require(report.deltas.first)
        try await edit(playground) {
            $0.deltas = [
                Pointer.Delta(
                    from: delta.from, fromHash: delta.fromHash, content: delta.content,
                    needs: .init(
                        memory: delta.needs.memory - 1, coded: delta.needs.coded,
                        copied: delta.needs.copied))
            ]
        }
        let update = try await playground.install()
        #expect(update.installed.route == .package)
        #expect(update.notes.contains { $0.contains("in its pointer") })
        let failures = try await playground.verify().failures
        #expect(failures.contains { $0.problem.contains("in its pointer") }, "\(failures)")
    }
}
