import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

@testable import PackClient

/// The state of an installation: its file, and which trees stay.
struct InstallStateTests {
    private static func hash(_ number: Int) -> Digest {
        StreamHasher.digest(of: Array("release \(number)".utf8))
    }

    private static func version(_ number: Int) -> Version {
        Version(packageHash: hash(number))
    }

    private static func copy(
        _ number: Int, channel: Channel = .production, isConfirmed: Bool = false
    ) -> InstallState.Copy {
        var copy = InstallState.Copy(
            version: version(number), packageHash: hash(number), channel: channel,
            sequence: number, label: "1.\(number)", route: .delta, installedAt: Playground.now)
        copy.isConfirmed = isConfirmed
        return copy
    }

    private static func state() throws -> InstallState {
        InstallState(
            app: try AppName("shop"),
            channel: .init(channel: .production, sequence: 7, payloadHash: hash(0)))
    }

    @Test func isReadAsItWasWritten() throws {
        var state = try Self.state()
        state.device = "device-é"
        state.trust = .init(root: 3, epoch: 2, checkedAt: Playground.now)
        state.speed = 45
        state.nativeVersion = try NativeVersion("3.2")
        state.failed = [Self.version(9), Self.version(8)]
        state.tried = [Self.version(7): 1, Self.version(6): 2]
        state.choose(Self.copy(1, isConfirmed: true))
        var second = Self.copy(2)
        second.epoch = 2
        second.attempts = 2
        second.native = NativeRange(lowest: try NativeVersion("3"), highest: try NativeVersion("4"))
        second.launch = try AssetPath("pages/index.html")
        state.choose(second)
        state.embedded = Self.copy(3)
        state.started = .embedded
        var beta = InstallState.ChannelState(
            channel: try Channel("beta"), sequence: 1, payloadHash: nil, epoch: 2)
        beta.isEnabled = false
        beta.bypasses = true
        beta.mandatorySequence = 1
        beta.offered = Self.version(2)
        beta.answer = .init(
            file: try #require(HTTPAnswer(address: "https://x", tag: "\"1\"", bytes: [1, 2])),
            receivedAt: Playground.now)
        state.see(beta)
        #expect(try InstallState.decode(state.encode()) == state)
        #expect(InstallState.isState(state.encode()))
    }

    /// Its release has been in use, so it counts as confirmed.
    @Test(arguments: ["route", "road"]) func readsTheFirstSchema(_ route: String) throws {
        let hash = Self.hash(1)
        let old = """
            {"schema": 1, "kind": "packtool-installation", "app": "shop", "channel": "beta",
             "version": "\(Self.version(1))", "packageHash": "\(hash)", "sequence": 5,
             "payloadHash": "\(Self.hash(2))", "device": "d", "root": 1, "epoch": 4,
             "rootCheckedAt": "\(Playground.now)", "releaseSequence": 6, "label": "1.1",
             "\(route)": "package", "installedAt": "\(Playground.now)", "speed": 20}
            """
        let state = try InstallState.decode(Array(old.utf8))
        #expect(state.channel.description == "beta" && state.sequence == 5 && state.speed == 20)
        #expect(state.seen.payloadHash == Self.hash(2) && state.seen.epoch == 4)
        let copy = try #require(state.installed)
        #expect(copy.version == Self.version(1) && copy.isConfirmed && copy.sequence == 6)
        #expect(state.current == .tree(copy.version) && state.trees.count == 1)
        let empty = try InstallState.decode(
            Array(
                """
                {"schema": 1, "kind": "packtool-installation", "app": "shop",
                 "channel": "production", "sequence": 5, "payloadHash": "\(hash)"}
                """.utf8))
        #expect(empty.trees.isEmpty && empty.current == nil && empty.sequence == 5)
    }

    @Test func damagedStatesAreRefused() throws {
        var state = try Self.state()
        state.choose(Self.copy(1))
        let text = String(decoding: state.encode(), as: UTF8.self)
        let edits = [
            ("\"schema\": 2", "\"schema\": 3"),
            ("\"channel\": \"production\"", "\"channel\": \"x\""),
            ("\"attempts\": 0", "\"attempts\": 3"), ("\"attempts\": 0", "\"attempts\": -1"),
            ("\"confirmed\": false", "\"confirmed\": 0"),
            ("\"route\": \"delta\"", "\"route\": \"x\""),
            ("packtool-installation", "another"), ("\"trees\"", "\"tree\""),
            ("\"current\": \"", "\"current\": \"../"), ("\"failed\": []", "\"failed\": [1]"),
        ]
        for (old, new) in edits {
            #expect(text.contains(old))
            let damaged = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
            #expect(throws: (any Error).self, "\(new)") { try InstallState.decode(damaged) }
        }
    }

    /// What an update may use only saves time, so damage does not stop the device.
    @Test func damagedHintsAreForgotten() throws {
        var state = try Self.state()
        state.speed = 20
        let text = String(decoding: state.encode(), as: UTF8.self)
        let damaged = text.replacing("\"speed\": 20", with: "\"speed\": \"fast\"")
        state.speed = nil
        #expect(try InstallState.decode(Array(damaged.utf8)) == state)
    }

    @Test func oldTreesGoOnceANewerOneIsConfirmed() throws {
        var state = try Self.state()
        func kept() -> [Int] {
            (1...9).filter { state[.tree(Self.version($0))] != nil }
        }
        state.choose(Self.copy(1))
        state.choose(Self.copy(2))
        state.trim()
        #expect(kept() == [1, 2], "nothing is confirmed")
        state.choose(Self.copy(3))
        state.trim()
        #expect(kept() == [2, 3])
        state.failed = [Self.version(2)]
        state.trim()
        #expect(kept() == [3], "a failed release is of no use")
        state.failed = []
        state[.tree(Self.version(3))]?.isConfirmed = true
        state.started = .tree(Self.version(3))
        for number in 4...6 {
            state.choose(Self.copy(number))
            state.trim()
            #expect(kept() == [3, number])
        }
        state[.tree(Self.version(6))]?.isConfirmed = true
        state.started = .tree(Self.version(6))
        state.trim()
        #expect(kept() == [6])
    }

    /// Regression: a release that was removed and offered again was shown four times.
    @Test func attemptsOutliveTheTree() throws {
        var state = try Self.state()
        var broken = Self.copy(1)
        broken.attempts = 2
        state.choose(broken)
        for number in 2...3 {
            state.choose(Self.copy(number, isConfirmed: true))
            state.started = state.current
            state.trim()
        }
        #expect(state[.tree(Self.version(1))] == nil)
        #expect(state.excluded(nativeVersion: nil) == [Self.version(1)])
        state.choose(Self.copy(1))
        #expect(state.trees.first?.attempts == 2 && state.tried == [:])
    }

    /// A switch back to the channel before needs no download.
    @Test func theTreeOfTheChannelBeforeStays() throws {
        var state = try Self.state()
        state.choose(Self.copy(1, isConfirmed: true))
        for (number, name) in [(2, "pr-1"), (3, "pr-2")] {
            let channel = try Channel(name)
            state.see(.init(channel: channel, sequence: number, payloadHash: nil))
            state.choose(Self.copy(number, channel: channel, isConfirmed: true))
            state.started = state.current
            state.trim()
            #expect(state.trees.map(\.version) == [number, number - 1].map(Self.version))
        }
    }

    @Test func onlyTheNewestChannelsAreRemembered() throws {
        var state = try Self.state()
        for number in 1...60 {
            state.see(
                .init(channel: try Channel("pr-\(number)"), sequence: number, payloadHash: nil))
        }
        #expect(state.channels.count == 50 && state.channel.description == "pr-60")
        #expect(state.seen(of: .production) == nil)
        #expect(try InstallState.decode(state.encode()) == state)
    }
}
