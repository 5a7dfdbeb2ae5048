import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

@testable import PackClient

/// What runs at a start of the app, over updates, failures and updates of the app itself.
@Suite(.eachStore) struct AppStartTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static func release(_ number: Int) -> [String: String] {
        Playground.first.merging(["n.txt": "\(number)"], uniquingKeysWith: { _, new in new })
    }

    private func embed(
        into path: String = "app", channel: String = "production", trust: TrustPin? = nil
    ) async throws {
        var request = InstallRequest(
            origin: play.origin, directory: "\(play.path)/\(path)", channel: try Channel(channel),
            now: Playground.now, jobs: 2, trust: trust)
        request.isForApps = true
        if let memory = play.memory {
            _ = try await Installer.install(request, from: memory)
        } else {
            _ = try await Installer.install(request)
        }
        try play.remove("\(path)/.lock")
    }

    private func embedded(_ path: String = "app") throws -> EmbeddedRelease? {
        play.exists(path) ? try EmbeddedRelease.read("\(play.path)/\(path)") : nil
    }

    @discardableResult
    private func update(
        channel: String? = nil, native: String? = nil, app: String = "app"
    ) async throws -> InstallReport {
        var request = InstallRequest(
            origin: play.origin, directory: play.client,
            channel: try channel.map { try Channel($0) },
            now: Playground.now, jobs: 2)
        request.embedded = try embedded(app)
        request.nativeVersion = try native.map { try NativeVersion($0) }
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    /// Starts, and returns the number of the release that runs.
    private func start(native: String? = nil, app: String = "app", isReady: Bool = true) throws
        -> String?
    {
        let start = AppStart.start(
            play.client, embedded: try embedded(app),
            nativeVersion: try native.map { try NativeVersion($0) })
        #expect(start.problem == nil, "\(String(describing: start.problem))")
        guard let running = start.running else {
            return start.decision.choice == .web ? "web" : nil
        }
        if isReady {
            #expect(try AppStart.confirm(running.place, in: play.client) != nil)
        }
        let bytes = try Directory.open(running.path).readFile("n.txt", limit: 10)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func nothingIsThereAtFirst() throws {
        #expect(try start() == nil)
        #expect(!play.exists("client"))
    }

    @Test func theReleaseInTheAppRunsAtOnce() async throws {
        try await play.publish(Self.release(1))
        try await embed()
        let before = try play.tree("app")
        #expect(try start() == "1")
        let report = try await update()
        #expect(report.outcome == .unchanged && report.state.current == .embedded)
        #expect(report.fetched.total == report.fetched.pointer)
        #expect(report.state.trees == [] && !play.exists("client/current"))
        try await play.publish(Self.release(2))
        #expect(try await update().outcome == .updated)
        #expect(try start() == "2")
        // A rollback to the release in the app fetches nothing.
        try await play.publish(Self.release(1))
        #expect(try await update().fetched.package == 0)
        #expect(try start() == "1")
        #expect(try play.tree("app") == before)
    }

    @Test(arguments: [true, false])
    func aReleaseThatIsNotReadyIsShownTwice(_ isEmbedded: Bool) async throws {
        let broken = try await brokenUpdate(isEmbedded)
        #expect(try start(isReady: false) == "2")
        #expect(try start(isReady: false) == "2")
        for _ in 0..<3 { #expect(try start() == "1") }
        let kept = try await update()
        #expect(kept.outcome == .failed && kept.installed.version != broken)
        #expect(kept.notes.contains { $0.contains("did not become ready on this device") })
        #expect(try start() == "1")
        // The repaired release is another version.
        try await play.publish(Self.release(3))
        #expect(try await update().outcome == .updated)
        #expect(try start() == "3")
        #expect(try play.installState().trees.first?.isConfirmed == true)
    }

    /// Installs release 1 and then 2.
    ///
    /// - Parameter isEmbedded: Whether release 1 is in the app.
    private func brokenUpdate(_ isEmbedded: Bool) async throws -> Version {
        try await play.publish(Self.release(1))
        if isEmbedded { try await embed() } else { try await update() }
        #expect(try start() == "1")
        let broken = try await play.publish(Self.release(2)).version
        #expect(try await update().outcome == .updated)
        return broken
    }

    /// Only a release that has never been ready can fail.
    @Test func aConfirmedReleaseStays() async throws {
        _ = try await brokenUpdate(true)
        #expect(try start() == "2")
        for _ in 0..<5 { #expect(try start(isReady: false) == "2") }
    }

    @Test func anUpdateOfTheAppForgetsFailures() async throws {
        _ = try await brokenUpdate(true)
        for _ in 0..<2 { #expect(try start(native: "3", isReady: false) == "2") }
        #expect(try start(native: "3") == "1")
        #expect(try await update(native: "3").outcome == .failed)
        #expect(try await update(native: "4").outcome == .updated)
        #expect(try start(native: "4") == "2")
        #expect(try play.installState().failed == [])
    }

    /// A newer app with an older download starts its own release; a newer download stays.
    @Test func anUpdateOfTheApp() async throws {
        for number in 1...3 {
            try await play.publish(Self.release(number))
            try await embed(into: "app\(number)")
        }
        try await play.change(.rollback(to: nil, isMandatory: false))
        #expect(try start(native: "1", app: "app1") == "1")
        try await update(native: "1", app: "app1")
        #expect(try start(native: "1", app: "app1") == "2")
        #expect(try start(native: "3", app: "app3") == "2", "its pointer is newer")
        try await play.publish(Self.release(4))
        try await embed(into: "app4")
        #expect(try start(native: "4", app: "app4") == "4")
        #expect(try await update(native: "4", app: "app4").outcome == .unchanged)
    }

    /// A pointer older than the one in the app is a replay.
    @Test func thePointerOfTheAppCounts() async throws {
        try await play.publish(Self.release(1))
        try play.copy("origin", to: "old")
        try await play.publish(Self.release(2))
        try await embed()
        try play.remove("origin")
        try play.copy("old", to: "origin")
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 2)) { try await update() }
        #expect(try start() == "2")
    }

    /// The kill switch holds offline and until a newer pointer lifts it.
    @Test func theKillSwitchIsRemembered() async throws {
        try await play.publish(Self.release(1))
        try await update()
        #expect(try start() == "1")
        try await play.change(.pause(bypasses: true))
        await #expect(throws: Failure.installBypassed(channel: "production")) { try await update() }
        for _ in 0..<3 { #expect(try start() == "web") }
        #expect(try play.installState().trees.count == 1)
        try await play.change(.resume)
        #expect(try await update().outcome == .unchanged)
        #expect(try start() == "1")
    }

    @Test func aMandatoryReleaseLocksNoDeviceOutThatCannotHaveIt() async throws {
        func mustUpdate() throws -> Bool {
            AppStart.start(play.client, embedded: nil, nativeVersion: nil).mustUpdate
        }
        try await play.publish(Self.release(1))
        try await update()
        #expect(try start() == "1")
        #expect(try !mustUpdate())
        var request = try await play.request(Self.release(2))
        request.conditions.isMandatory = true
        try await play.publish(request)
        // The pointer is seen, but the package is gone.
        let version = try await play.pointer().version
        let package = try play.read("origin/releases/\(version)/package.zip")
        try play.remove("origin/releases/\(version)/package.zip")
        _ = try? await update()
        #expect(try mustUpdate())
        try await play.change(.pause(bypasses: false))
        _ = try? await update()
        #expect(try !mustUpdate(), "paused")
        try await play.change(.resume)
        _ = try? await update()
        #expect(try mustUpdate())
        try await play.change(.pause(bypasses: true))
        _ = try? await update()
        #expect(try !mustUpdate(), "bypassed")
        try await play.change(.resume)
        try play.write("origin/releases/\(version)/package.zip", package)
        try await update()
        for _ in 0..<2 { #expect(try !mustUpdate()) }
        #expect(try !mustUpdate(), "it failed here")
        #expect(try play.installState().failed == [version])
    }

    @Test func aSwitchOfTheChannelAndBackFetchesNothing() async throws {
        try await play.publish(Self.release(1))
        try await play.publish(Self.release(2), channel: "pr-1")
        try await update()
        #expect(try start() == "1")
        #expect(try await update(channel: "pr-1").outcome == .updated)
        #expect(try start() == "2")
        #expect(try await update().state.channel.description == "pr-1", "it stays")
        let back = try await update(channel: "production")
        #expect(back.outcome == .updated && back.fetched.total == back.fetched.pointer)
        #expect(back.installed.route == .package, "of the first download")
        #expect(try start() == "1")
        let again = try await update(channel: "pr-1")
        #expect(again.fetched.total == again.fetched.pointer)
        #expect(try start() == "2")
    }

    /// An old pointer of a channel stays a replay after a switch.
    @Test func sequencesAreRememberedByChannel() async throws {
        try await play.publish(Self.release(1))
        try play.copy("origin", to: "old")
        try await play.publish(Self.release(2))
        try await play.publish(Self.release(3), channel: "beta")
        try await update()
        try await update(channel: "beta")
        try play.remove("origin")
        try play.copy("old", to: "origin")
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 2)) {
            try await update(channel: "production")
        }
    }

    /// Without its first page, a tree would show a blank one.
    @Test(arguments: ["index.html", ""]) func aDamagedTreeDoesNotStart(_ name: String) async throws
    {
        try await play.publish(Self.release(1))
        try await update()
        #expect(try start() == "1")
        let version = try await play.publish(Self.release(2)).version
        try await update()
        try play.remove("client/versions/\(version)/\(name)")
        #expect(try start() == "1")
        #expect(try await update().outcome == .updated)
        #expect(try start() == "2")
    }

    /// An update of another process holds its lock for minutes.
    @Test func aStartDoesNotWaitForAnUpdate() async throws {
        _ = try await brokenUpdate(false)
        guard let lock = try FileLock(in: Directory.open(play.client), name: ".lock") else {
            Issue.record("the lock is not to be had")
            return
        }
        #expect(try start(isReady: false) == "2")
        #expect(try play.installState().trees.first?.attempts == 1)
        _ = consume lock
    }

    /// Broken releases could otherwise be shown for ever.
    @Test func withoutAPlaceToCountOnlyConfirmedReleasesStart() async throws {
        _ = try await brokenUpdate(true)
        try play.remove("client/.state.lock")
        try play.makeDirectory("client/.state.lock")
        for _ in 0..<3 {
            let start = AppStart.start(
                play.client, embedded: try embedded(), nativeVersion: nil)
            #expect(start.running?.place == .embedded && start.problem != nil)
        }
        try play.remove("client/.state.lock")
        #expect(try start() == "2")
    }

    private static let damages = ["{", "newer", "gone"]

    @Test(arguments: damages) func aDamagedStateLeavesTheReleaseInTheApp(_ what: String)
        async throws
    {
        _ = try await brokenUpdate(true)
        let state = try play.text("client/state.json")
        switch what {
        case "gone": try play.remove("client/state.json")
        case "newer":
            try play.write(
                "client/state.json", state.replacing("\"schema\": 2", with: "\"schema\": 3"))
        default: try play.write("client/state.json", what)
        }
        let start = AppStart.start(play.client, embedded: try embedded(), nativeVersion: nil)
        #expect(start.running?.place == .embedded)
        #expect((start.problem as? Failure)?.code == (what == "gone" ? nil : .installDamagedState))
        if what != "gone" {
            await expectFailure(of: "install") { try await update() }
            try Installer.reset(play.client)
        }
        #expect(try await update().outcome == .updated)
        #expect(try self.start() == "2")
    }

    /// Regression: a first start that was killed, or had no space, left a directory that no later run used.
    @Test(arguments: [".lock", ".state.lock", "both"])
    func regressionAFirstStartThatWasKilled(_ what: String) async throws {
        try await play.publish(Self.release(1))
        try await embed()
        for name in [".lock", ".state.lock"] where what == name || what == "both" {
            try play.write("client/\(name)", "")
        }
        #expect(try start() == "1")
        try await play.publish(Self.release(2))
        #expect(try await update().outcome == .updated)
        // The mark comes before the state.
        try play.makeDirectory("full/.state.json")
        _ = AppStart.start("\(play.path)/full", embedded: try embedded(), nativeVersion: nil)
        #expect(try !play.read("client/.lock").isEmpty)
    }

    /// Regression: without its root, an app's release made a signed installation accept anything.
    @Test(arguments: ["trust", "versions/x/index.html", "versions"])
    func regressionAnIncompleteReleaseInTheApp(_ name: String) async throws {
        let file = try TrustLab.file(TrustLab.root(1, keys: [1], release: [7]), by: [1])
        try play.write("origin/root/1.json", file)
        var request = try await play.request(Self.release(1), lifetimeDays: nil)
        request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        let version = try await play.publish(request).version
        try await embed(trust: .root(try SignedRoot(file, path: "root")))
        #expect(try embedded() != nil)
        try play.remove("app/" + name.replacing("/x/", with: "/\(version)/"))
        let error = #expect(throws: Failure.self) { try embedded() }
        #expect(error?.code == .installNotEmbedded)
    }

    /// No device can follow a pointer that has expired.
    @Test func anExpiredPointerIsNotMandatory() async throws {
        func mustUpdate(days: Int) -> Bool {
            AppStart.start(
                play.client, embedded: nil, nativeVersion: nil,
                now: Playground.now.adding(days: days)
            ).mustUpdate
        }
        try await play.publish(Self.release(1))
        try await update()
        #expect(try start() == "1")
        var request = try await play.request(Self.release(2), lifetimeDays: 5)
        request.conditions.isMandatory = true
        let version = try await play.publish(request).version
        try play.remove("origin/releases/\(version)/package.zip")
        _ = try? await update()
        #expect(mustUpdate(days: 4) && !mustUpdate(days: 5))
    }

    @Test func theReleaseOfAnotherAppIsRefused() async throws {
        _ = try await play.publish(play.request(Self.release(1), app: "bank"))
        try await embed()
        try play.remove("origin")
        try await play.publish(Self.release(2))
        await #expect(throws: Failure.installOtherApp(installed: "bank", offered: "shop")) {
            try await update()
        }
    }
}
