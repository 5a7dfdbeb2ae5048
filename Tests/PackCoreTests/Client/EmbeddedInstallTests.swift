import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import PackVerify
import TestSupport
import Testing

/// Installations shipped in an app, and the pin that keeps their updates small.
@Suite(.eachStore) struct EmbeddedInstallTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private func embed(
        into path: String = "app", channel: String = "production", native: String? = nil,
        trust: TrustPin? = nil
    ) async throws -> InstallReport {
        var request = InstallRequest(
            origin: play.origin, directory: "\(play.path)/\(path)",
            channel: try Channel(channel), now: Playground.now, jobs: 2, trust: trust)
        request.isForApps = true
        request.nativeVersion = try native.map { try NativeVersion($0) }
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    private func pin(_ version: Version, days: Int = 0, channel: String = "production") async throws
    {
        try await Pin(
            channel: Channel(channel), version: version,
            createdAt: Playground.now.adding(days: days),
            reason: "app 3.2"
        ).record(at: try play.store(), clock: Playground.now)
    }

    /// Long enough for a delta to be smaller than the package.
    private static func release(_ number: Int) -> [String: String] {
        Playground.first.merging(
            ["static/main.js": "// \(number)\n" + (1...2000).map { "f(\($0));" }.joined()],
            uniquingKeysWith: { _, new in new })
    }

    @Test func aFirstStartNeedsNothingMore() async throws {
        let one = try await play.publish(Self.release(1), label: "1.0").version
        let report = try await embed()
        #expect(report.outcome == .installed && report.state.device == nil)
        #expect(try play.files("app/versions/\(one)") == play.files("build"))
        #expect(
            try play.read("app/info.json") == play.read("origin/releases/\(one)/info.json"))
        let state = try play.text("app/state.json")
        #expect(!state.contains("device") && state.contains(one.description))

        // Two devices with the same app, and a later release.
        try await pin(one)
        for device in ["one", "two"] { try play.copy("app", to: device) }
        try await play.publish(Self.release(2), label: "2.0", deltas: 1)
        let updates = [try await play.install(into: "one"), try await play.install(into: "two")]
        #expect(updates.map(\.outcome) == [.updated, .updated])
        #expect(updates.map(\.installed.route) == [.delta, .delta])
        #expect(updates.allSatisfy { $0.fetched.package == 0 && $0.fetched.info == 0 })
        #expect(
            updates[0].state.device != nil && updates[0].state.device != updates[1].state.device)
        #expect(!play.exists("one/info.json"), "it describes another release")
    }

    /// The release in the app stays a base for deltas, however many releases follow.
    @Test func aPinnedReleaseStaysABase() async throws {
        let one = try await play.publish(Self.release(1)).version
        try await pin(one)
        let other = try await play.publish(Self.release(9), channel: "beta").version
        try await pin(other, channel: "beta")
        for number in 2...5 {
            let report = try await play.publish(Self.release(number), deltas: 1)
            let froms = try await play.pointer().deltas.map(\.from)
            #expect(froms.contains(one) && froms.count == (number == 2 ? 1 : 2), "\(number)")
            #expect(report.notes.filter { $0.contains("pin") } == [])
        }
        // The release itself needs no delta, and --deltas 0 makes none.
        try await play.publish(Self.release(1), deltas: 1)
        try await play.publish(Self.release(6))
        #expect(try await play.pointer().deltas == [])
        #expect(try await play.verify().isSound)
    }

    @Test func pinsThatSayNothingAreNoted() async throws {
        let one = try await play.publish(Self.release(1)).version
        try play.write("origin/.packtool/pins/production.x.json", "{}")
        try await pin(Version(packageHash: StreamHasher.digest(of: [1])))
        try await pin(one)
        let report = try await play.publish(Self.release(2), deltas: 1)
        #expect(try await play.pointer().deltas.map(\.from) == [one])
        #expect(report.notes.contains { $0.contains("is not a pin that can be read") })
        #expect(report.notes.contains { $0.contains("no log entry names it") })
    }

    @Test("a pin that was there already was not written again, and said to be")
    func aPinIsReplaced() async throws {
        let one = try await play.publish(Self.release(1)).version
        let path = "origin/.packtool/pins/production.\(one).json"
        for old in ["", "{}\n"] {
            try play.write(path, old)
            try await pin(one)
            #expect(try Pin.decode(play.read(path)).reason == "app 3.2")
        }
    }

    @Test func onlyTheNewestPinsAreBases() async throws {
        var versions: [Version] = []
        for number in 1...7 {
            versions.append(try await play.publish(Self.release(number)).version)
            try await pin(versions[number - 1], days: number)
        }
        let report = try await play.publish(Self.release(8), deltas: 1)
        let froms = try await play.pointer().deltas.map(\.from.description)
        #expect(froms == versions.suffix(5).map(\.description).sorted())
        #expect(report.notes.contains { $0.hasPrefix("7 releases are pinned") })
    }

    /// All devices receive the app, so its release must be for all devices.
    @Test func aCanaryIsNotEmbedded() async throws {
        var request = try await play.request(Self.release(1), label: "1.0")
        request.conditions.rollout = 99
        try await play.publish(request)
        let error = await #expect(throws: Failure.self) { try await embed() }
        #expect(error?.code.name == "install.not-for-every-device")
        #expect(!play.exists("app/current"))
        try await play.change(.rollout(100, shrinks: false))
        var canary = try await play.request(Self.release(2), label: "2.0")
        canary.conditions.rollout = 10
        canary.conditions.lowest = .all(.version(try NativeVersion("3")))
        try await play.publish(canary)
        #expect(try await embed().installed.label == "1.0")
        try await play.change(.rollout(100, shrinks: false))
        #expect(try await embed(into: "old").installed.label == "1.0")
        #expect(try await embed(into: "new", native: "3.1").installed.label == "2.0")
    }

    @Test func aPausedChannelIsNotEmbedded() async throws {
        try await play.publish(Self.release(1))
        try await play.change(.pause(bypasses: false))
        await #expect(throws: Failure.installDisabled(channel: "production")) { try await embed() }
        #expect(!play.exists("app/current"))
    }

    /// The app keeps the root it ships with.
    @Test func aRootGoesAlong() async throws {
        let file = try TrustLab.file(TrustLab.root(1, keys: [1], release: [7]), by: [1])
        try play.write("origin/root/1.json", file)
        var request = try await play.request(Self.release(1), lifetimeDays: nil)
        request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        try await play.publish(request)
        let report = try await embed(trust: .root(try SignedRoot(file, path: "root")))
        #expect(report.state.trust?.root == 1)
        #expect(try play.read("app/trust/root.json") == file)
        let pointer = try await play.pointer()
        let forged = try TrustLab.envelope(pointer, by: []).encode()
        try play.write("origin/channels/production/pointer.json", forged)
        try play.write("origin/channels/production/log/1.json", forged)
        try play.copy("app", to: "client")
        await expectFailure(of: "trust") { try await play.install() }
    }

    @Test func aPinIsReadAsItWasWritten() throws {
        let pin = Pin(
            channel: .production, version: Version(packageHash: StreamHasher.digest(of: [])),
            createdAt: Playground.now, reason: "app 3.2 (\"beta\")")
        #expect(try Pin.decode(pin.encode()) == pin)
        for text in ["", "{}", #"{"schema": 2}"#, "[]"] {
            #expect(throws: (any Error).self, "\(text)") { try Pin.decode(Array(text.utf8)) }
        }
    }
}
