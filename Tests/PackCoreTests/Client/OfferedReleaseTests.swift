import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Which of a channel's releases a client installs.
@Suite(.eachStore) struct OfferedReleaseTests {
    /// 1.0 for all devices, and 2.0 for some.
    private func prepared(
        _ body: (inout Pointer.Conditions) throws -> Void
    ) async throws -> (Playground, one: Version, two: Version) {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first, label: "1.0")
        var request = try await playground.request(Playground.second, label: "2.0", deltas: 1)
        try body(&request.conditions)
        let two = try await playground.publish(request)
        return (playground, one.version, two.version)
    }

    /// Two devices: one in the share and one outside it.
    private func devices(_ playground: Playground, share: Int) async throws -> (String, String) {
        let pointer = try await playground.pointer()
        let all = (0..<1000).map { "device \($0)" }
        let isIn = { (device: String) in
            RolloutBucket.of(
                app: pointer.app, channel: pointer.channel, salt: pointer.entry.salt,
                device: device) < 100 * share
        }
        return (try #require(all.first(where: isIn)), try #require(all.first { !isIn($0) }))
    }

    @Test func aShareOfTheDevices() async throws {
        let (playground, one, two) = try await prepared { $0.rollout = 30 }
        let (inside, outside) = try await devices(playground, share: 30)
        #expect(try await playground.install(device: inside).installed.version == two)
        let other = try await playground.install(into: "other", device: outside)
        #expect(other.installed.version == one && other.notes[0].hasPrefix("not 2.0: bucket "))
        #expect(try await playground.install(into: "other").outcome == .unchanged)
        // Now all devices, by delta.
        try await playground.change(.rollout(100, shrinks: false))
        #expect(try await playground.install(into: "other").installed.version == two)
        // A mandatory rollback returns to 1.0.
        try await playground.change(.rollback(to: "1.0", isMandatory: true))
        #expect(try await playground.install().installed.version == one)
    }

    /// With a salt, the devices that got one release first also get the next one first, until the
    /// salt is removed.
    @Test func oneSaltChoosesTheSameDevices() async throws {
        let (playground, _, _) = try await prepared {
            $0.rollout = 30
            $0.salt = .text("ring-1")
        }
        let first = { (pointer: Pointer) in
            (0..<300).map { "device \($0)" }.filter {
                pointer.select(for: ClientDevice(id: $0)).index == 0
            }
        }
        let ring = first(try await playground.pointer())
        #expect(ring.count > 60 && ring.count < 120)
        try await playground.publish(["index.html": "3"])
        let kept = try await playground.pointer()
        #expect(kept.entry.rolloutSalt == "ring-1" && kept.rollout == 30 && first(kept) == ring)
        // Another channel has its own salt, and a promotion does not copy it.
        try await playground.publish(["index.html": "4"], channel: "beta")
        try await playground.change(
            .promote(.init(source: .production, staysPaused: true, deltas: .init(count: 0))),
            channel: "beta")
        #expect(try await playground.pointer(Channel("beta")).entry.rolloutSalt == nil)
        var request = try await playground.request(["index.html": "5"])
        request.conditions.salt = .packageHash
        try await playground.publish(request)
        let anew = try await playground.pointer()
        #expect(anew.entry.rolloutSalt == nil && anew.rollout == 30 && first(anew) != ring)
    }

    @Test func aLowerShareTakesNothingAway() async throws {
        let (playground, one, two) = try await prepared { $0.rollout = 30 }
        let (inside, _) = try await devices(playground, share: 30)
        try await playground.install(device: inside)
        try await playground.change(.rollout(0, shrinks: true))
        #expect(try await playground.install().outcome == .unchanged)
        #expect(try await playground.install().installed.version == two)
        #expect(
            try await playground.install(into: "other", device: inside).installed.version == one)
    }

    @Test func theAppDecides() async throws {
        let (playground, one, two) = try await prepared {
            $0.lowest = .all(.version(try NativeVersion("3.2")))
        }
        #expect(try await playground.install().installed.version == one)
        #expect(try await playground.install(native: "3.1").outcome == .unchanged)
        #expect(try await playground.install(native: "3.10").installed.version == two)
        // An older app, as after a restore, gets a release that it supports.
        #expect(try await playground.install(native: "3.1").installed.version == one)
    }

    /// The state has the range of the device's platform, so its starts need no platform.
    @Test func thePlatformDecides() async throws {
        let (playground, one, two) = try await prepared {
            $0.lowest[.ios] = .version(try NativeVersion("3.2"))
            $0.lowest[.android] = .version(try NativeVersion("3.4"))
        }
        let install = { (platform: AppPlatform?, native: String) in
            try await playground.install(native: native, platform: platform)
        }
        #expect(try await install(.android, "3.3").installed.version == one)
        let ios = try await install(.ios, "3.3").installed
        #expect(ios.version == two && ios.native.lowest?.description == "3.2")
        #expect(try await install(nil, "3.3").installed.version == one)
        let unnamed = try await install(nil, "3.4").installed
        #expect(unnamed.version == two && unnamed.native.lowest?.description == "3.4")
        let android = try await install(.android, "3.4").installed
        #expect(android.native.lowest?.description == "3.4")
        // The range is renewed although nothing is fetched.
        #expect(try await install(.ios, "3.4").installed.native.lowest?.description == "3.2")
        let explain = { (platform: AppPlatform?) in
            try await Explanation.of(
                ExplainRequest(
                    channel: .production, nativeVersion: try NativeVersion("3.3"),
                    platform: platform, now: Playground.now), at: playground.store()
            ).entry?.version
        }
        #expect(try await explain(.ios) == two)
        #expect(try await explain(.android) == one)
        #expect(try await explain(nil) == one)
        #expect(try await playground.verify().isSound)
        // A rollback restores the ranges.
        try await playground.publish(["index.html": "3"], now: Playground.now.adding(days: 1))
        let back = try await playground.change(
            .rollback(to: nil, isMandatory: true), now: Playground.now.adding(days: 2))
        #expect(back.after.native[.ios].lowest?.description == "3.2")
        #expect(back.after.native[.android].lowest?.description == "3.4")
    }

    @Test func nothingForThisDevice() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first, label: "1.0")
        request.conditions.lowest = .all(.version(try NativeVersion("3")))
        try await playground.publish(request)
        let error = await #expect(throws: Failure.self) {
            try await playground.install(native: "2")
        }
        #expect(error?.code.name == "install.not-offered")
        #expect(!playground.exists("client/current"))
        #expect(try await playground.install(native: "3").outcome == .installed)
        let kept = try await playground.install(native: "2.9")
        #expect(kept.outcome == .kept && kept.installed.label == "1.0")
        #expect(kept.notes.contains { $0.contains("native version 2.9 is below 3") })
        try playground.expectInstalled(Playground.first)
    }

    @Test func aBypassIsToldApart() async throws {
        let (playground, _, _) = try await prepared { _ in }
        try await playground.install()
        try await playground.change(.pause(bypasses: true))
        await #expect(throws: Failure.installBypassed(channel: "production")) {
            try await playground.install()
        }
        try await playground.change(.resume)
        try await playground.change(.pause(bypasses: false))
        await #expect(throws: Failure.installDisabled(channel: "production")) {
            try await playground.install()
        }
    }

    /// The ID is created once, and stored before the first choice.
    @Test func theIdStays() async throws {
        let (playground, _, _) = try await prepared { $0.rollout = 30 }
        let first = try await playground.install().state.device
        #expect(first?.count == 32)
        #expect(try await playground.install().state.device == first)
        #expect(try await playground.install(into: "other").state.device != first)
        #expect(try await playground.install(device: "mine").state.device == "mine")
        #expect(try await playground.install().state.device == "mine")
    }

    @Test(.directoryOnly) func explained() async throws {
        let (playground, one, two) = try await prepared {
            $0.rollout = 30
            $0.lowest = .all(.version(try NativeVersion("3.2")))
        }
        let (inside, outside) = try await devices(playground, share: 30)
        let store = try DirectoryStore.open(playground.origin)
        let explain = { (native: String?, device: String, installed: Version?) in
            try await Explanation.of(
                ExplainRequest(
                    channel: .production, nativeVersion: try native.map { try NativeVersion($0) },
                    device: device, installed: installed, now: Playground.now), at: store)
        }
        var found = try await explain("3.2", inside, one)
        #expect(found.verdict == .updates && found.entry?.version == two)
        for (native, device) in [("3.1", inside), ("3.2", outside)] {
            found = try await explain(native, device, one)
            #expect(found.verdict == .installed && found.entry?.version == one)
        }
        found = try await explain(nil, inside, nil)
        #expect(found.verdict == .updates && found.route == .package)
        #expect(found.steps.map(\.passes) == [true, true, true, true, false, true])
        // The report predicts the client's choice.
        let report = try await playground.install(native: nil, device: inside)
        #expect(report.fetched == found.fetched && report.installed.version == one)
        try await playground.change(.pause(bypasses: false))
        #expect(try await explain(nil, inside, nil).verdict == .refused)
    }
}
