import PackClient
import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

/// Pointers that a client rejects; the installed release stays.
@Suite(.eachStore) struct RefusedPointerTests {
    /// Replaces the pointer and its log entry with an edited one.
    private func edit(_ playground: Playground, _ body: (inout Pointer) throws -> Void)
        async throws
    {
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        try body(&pointer)
        let bytes = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.overwrite("origin/channels/production/pointer.json", bytes)
        try playground.write("origin/channels/production/log/\(pointer.sequence).json", bytes)
    }

    private func expectRefusal(
        _ playground: Playground, _ expected: Failure, channel: String = "production",
        now: Timestamp = Playground.now, location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try playground.installedTrees()
        let installed = try playground.installState().installed
        await #expect(throws: expected, sourceLocation: location) {
            try await playground.install(channel: channel, now: now)
        }
        #expect(
            try playground.installedTrees() == before,
            sourceLocation: location)
        #expect(try playground.installState().installed == installed, sourceLocation: location)
    }

    @Test func anOldPointerIsAReplay() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try playground.copy("origin", to: "mirror")
        try await playground.publish(Playground.second)
        try await playground.install()
        try playground.remove("origin")
        try playground.copy("mirror", to: "origin")
        try await expectRefusal(playground, .installReplayed(offered: 1, seen: 2))
    }

    @Test func twoReleasesUnderOneSequence() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("origin")
        try await playground.publish(Playground.second)
        try await expectRefusal(playground, .installSplitView(sequence: 1))
    }

    @Test func anotherApp() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try playground.remove("origin")
        _ = try await playground.publish(playground.request(Playground.second, app: "bank"))
        try await expectRefusal(playground, .installOtherApp(installed: "shop", offered: "bank"))
    }

    @Test func aDisabledChannel() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        try await edit(playground) { $0.isEnabled = false }
        try await expectRefusal(playground, .installDisabled(channel: "production"))
    }

    private static let times: [(Int, Bool)] = [
        (0, true), (7_775_999, true), (7_776_000, false), (9_999_999, false),
    ]

    @Test(arguments: times) func expiry(_ seconds: Int, _ isInstalled: Bool) async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let now = Timestamp(seconds: Playground.now.seconds + seconds)
        if isInstalled {
            #expect(try await playground.install(now: now).outcome == .installed)
        } else {
            try playground.makeDirectory("client")
            await #expect(throws: Failure.installExpired(at: "2027-02-19T08:00:00Z")) {
                try await playground.install(now: now)
            }
            #expect(!playground.exists("client/current"))
        }
    }

    @Test func nothingPublished() async throws {
        let playground = try Playground()
        try playground.makeDirectory("origin")
        await #expect(throws: Failure.originNotAnOrigin(path: playground.origin)) {
            try await playground.install()
        }
        try await playground.publish(Playground.first)
        await #expect(
            throws: Failure.originNothingPublished(channel: "beta", origin: playground.origin)
        ) {
            try await playground.install(channel: "beta")
        }
        #expect(!playground.exists("client"))
    }
}
