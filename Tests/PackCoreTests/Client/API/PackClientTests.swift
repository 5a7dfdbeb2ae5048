import PackClient
import PackGround
import PackOrigin
import PackPages
import PackPublish
import TestSupport
import Testing

/// The library as an app uses it: events, holds, errors, pages.
struct PackClientTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static func release(_ number: Int) -> [String: String] {
        Playground.first.merging(["n.txt": "\(number)"], uniquingKeysWith: { _, new in new })
    }

    private func embed() async throws {
        var request = InstallRequest(
            origin: play.origin, directory: "\(play.path)/app", channel: .production,
            now: Playground.now, jobs: 2)
        request.isForApps = true
        _ = try await Installer.install(request)
    }

    private func client(
        _ edit: (inout PackClient.Configuration) -> Void = { _ in }
    ) throws -> PackClient {
        var configuration = PackClient.Configuration(
            origin: play.origin, app: "shop", directory: play.client)
        configuration.embedded = play.exists("app") ? "\(play.path)/app" : nil
        configuration.nativeVersion = "3.2"
        configuration.clock = PackClock(
            now: { Playground.now.seconds }, monotonicSeconds: PackClock.system.monotonicSeconds)
        edit(&configuration)
        return try PackClient(configuration)
    }

    /// The last event of an update.
    private func update(
        _ client: PackClient, _ edit: (inout PackClient.UpdateOptions) -> Void = { _ in }
    ) async throws -> PackClient.Event? {
        try await events(client, edit).last
    }

    private func events(
        _ client: PackClient, _ edit: (inout PackClient.UpdateOptions) -> Void = { _ in }
    ) async throws -> [PackClient.Event] {
        var options = PackClient.UpdateOptions()
        options.isForced = true
        edit(&options)
        var events: [PackClient.Event] = []
        for try await event in client.update(options) { events.append(event) }
        return events
    }

    private func hold(_ event: PackClient.Event?) -> PackClient.HoldReason? {
        if case .held(let reason)? = event { reason } else { nil }
    }

    private func number(_ release: PackClient.Release?) throws -> String {
        let release = try #require(release)
        let bytes = try Directory.open(release.directory).readFile("n.txt", limit: 10)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aLife() async throws {
        try await play.publish(Self.release(1), label: "1.0")
        try await embed()
        let first = try client()
        #expect(first.release == nil)
        let start = first.start()
        #expect(start.problem == nil && !start.mustUpdate && start.release == first.release)
        #expect(try number(start.release) == "1")
        #expect(start.release?.isEmbedded == true && start.release?.launchPath == "index.html")
        try first.markReady()
        try await play.publish(Self.release(2), label: "2.0")
        guard case .installed(let new)? = try await update(first) else {
            Issue.record("not installed")
            return
        }
        #expect(new.label == "2.0" && !new.isEmbedded && new.channel == "production")
        #expect(try number(first.release) == "1", "the running release stays")

        let second = try client()
        #expect(try number(second.start().release) == "2")
        guard case .upToDate(new.version)? = try await update(second) else {
            Issue.record("not up to date")
            return
        }
        // It is never ready.
        #expect(try number(client().start().release) == "2")
        let third = try client()
        #expect(try number(third.start().release) == "1")
        #expect(hold(try await update(third)) == .failedHere)
        // A newer app gets it again.
        #expect(hold(try await update(client { $0.nativeVersion = "3.3" })) == nil)
    }

    /// Without a platform, the strictest limits hold.
    @Test(
        arguments: [(nil, "1.0"), (.ios, "2.0"), (.android, "1.0")]
            as [(PackClient.Platform?, String)])
    func thePlatformDecides(_ platform: PackClient.Platform?, _ label: String) async throws {
        try await play.publish(Self.release(1), label: "1.0")
        var request = try await play.request(Self.release(2), label: "2.0")
        request.conditions.lowest[.ios] = .version(try NativeVersion("3.2"))
        request.conditions.lowest[.android] = .version(try NativeVersion("3.4"))
        try await play.publish(request)
        let client = try client { $0.platform = platform }
        _ = try await update(client)
        #expect(client.start().release?.label == label)
    }

    @Test func anUpdateCanRunAtOnce() async throws {
        try await play.publish(Self.release(1))
        try await embed()
        let client = try client()
        _ = client.start()
        try client.markReady()
        try await play.publish(Self.release(2), channel: "preview")
        try client.use(channel: "preview")
        guard case .started(let start)? = try await update(client, { $0.apply = .now }) else {
            Issue.record("not started")
            return
        }
        #expect(try number(start.release) == "2" && client.release == start.release)
        #expect(start.release?.channel == "preview")
        try client.use(channel: "production")
        _ = try await update(client, { $0.apply = .now })
        #expect(try number(self.client().start().release) == "1")
    }

    @Test func holds() async throws {
        try await play.publish(Self.release(1))
        // Regression: the first update was not due, by a clock that began below 0.
        let early = try self.client {
            $0.clock = PackClock(now: $0.clock.now, monotonicSeconds: { -1 })
        }
        guard case .installed? = try await update(early, { $0.isForced = false }) else {
            Issue.record("the first update was not due")
            return
        }
        let client = try client()
        guard case .upToDate? = try await update(client, { $0.isForced = false }) else {
            Issue.record("not up to date")
            return
        }
        guard case .notDue(let seconds)? = hold(try await update(client) { $0.isForced = false })
        else {
            Issue.record("polled twice")
            return
        }
        #expect((700...1100).contains(seconds))
        try await play.change(.pause(bypasses: false))
        #expect(hold(try await update(client)) == .paused)
        try await play.change(.pause(bypasses: true))
        #expect(hold(try await update(client)) == .bypassed)
        guard case .web = client.start().choice else {
            Issue.record("the kill switch is not obeyed")
            return
        }
        try await play.change(.resume)
        let late = try self.client { configuration in
            configuration.clock.now = { Playground.now.adding(days: 400).seconds }
        }
        #expect(hold(try await update(late)) == .expired)
        let lock = try FileLock(in: Directory.open(play.client), name: ".lock")
        #expect(hold(try await update(client)) == .busy)
        _ = consume lock
        try await play.publish(Self.release(2))
        let metered = try await update(client) {
            $0.isMetered = true
            $0.limits.meteredBytes = 10
        }
        #expect(hold(metered) == .limits)
        #expect(hold(try await update(client)) == nil)
    }

    private func code(_ client: PackClient) async throws -> String? {
        let error = await #expect(throws: PackError.self) { try await update(client) }
        return error?.code
    }

    @Test func errors() async throws {
        #expect(throws: PackError.self) { try client { $0.app = "a b" } }
        for origin in ["", "ftp://x/y", "cdn", "https://"] {
            #expect(throws: PackError.self, "\(origin)") { try client { $0.origin = origin } }
        }
        #expect(throws: PackError.self) { try client { $0.nativeVersion = "x" } }
        #expect(throws: PackError.self) { try client { $0.channel = "A B" } }
        #expect(throws: PackError.self) { try client { $0.trust = .sha256("1", version: 1) } }
        #expect(throws: PackError.self) { try client().use(channel: "") }
        #expect(try await code(client()) != nil)
        try await play.publish(Self.release(1))
        #expect(
            try await code(client { $0.origin = "https://cdn.example.com" })
                == "client.no-transport")
        #expect(try await code(client { $0.app = "bank" }) == "install.other-app")
        _ = try await update(client { $0.directory = play.path + "/shop" })
        let bank = try client {
            $0.app = "bank"
            $0.directory = play.path + "/shop"
        }
        #expect(bank.start().problem?.code == "install.other-app" && bank.release == nil)
        let none = try client { $0.embedded = play.path + "/build" }
        #expect(try await code(none) == "install.not-embedded")
        #expect(none.start().problem?.code == "install.not-embedded")
        var options = PackClient.UpdateOptions()
        options.limits.spaceToLeave = .max
        options.isForced = true
        let events = try client().update(options)
        let error = await #expect(throws: PackError.self) { for try await _ in events {} }
        #expect(error?.code == "install.no-space")
        #expect(try await update(client()) != nil)
        // A bundled release that is damaged stops no update.
        let damaged = try client { $0.embedded = play.path + "/build" }
        guard case .upToDate? = try await update(damaged) else {
            Issue.record("stopped")
            return
        }
        try play.write("client/state.json", "{")
        #expect(try await code(client()) == "install.damaged-state")
        try client().reset()
        guard case .installed? = try await update(client()) else {
            Issue.record("not repaired")
            return
        }
        try play.write("photos/mine.jpg", "mine")
        let others = try client { $0.directory = play.path + "/photos" }
        #expect(try await code(others) == "install.not-an-installation")
        #expect(throws: PackError.self) { try others.reset() }
        #expect(try play.text("photos/mine.jpg") == "mine")
    }

    /// Progress, the header `User-Agent`, and what a captive portal answers.
    @Test func overHTTP() async throws {
        try await play.publish(Self.release(1), label: "1.0")
        var files: [String: [UInt8]] = [:]
        for path in try play.publicFiles() { files[path] = try play.read("origin/\(path)") }
        let agents = Locked<Set<String>>([])
        let transport = ServedTransport(files) { question, _ in
            agents.withLock { _ = $0.insert(question.fields["user-agent"] ?? "") }
        }
        let client = try client {
            $0.origin = ServedTransport.address
            $0.transport = PackTransport(transport)
        }
        let events = try await events(client)
        guard case .checking? = events.first, case .installed? = events.last else {
            Issue.record("\(events)")
            return
        }
        let progress = events.compactMap { event -> (UInt64, UInt64)? in
            if case .downloading(let bytes, let total) = event { (bytes, total) } else { nil }
        }
        #expect(progress.count > 2 && progress.first?.0 == 0)
        #expect(progress.allSatisfy { $0.0 <= $0.1 } && progress.last.map { $0.0 == $0.1 } == true)
        #expect(agents.withLock { $0 } == ["packtool-client/1 shop native/3.2"])
        let device = try #require(try play.installState().device)
        #expect(!agents.withLock { $0 }.contains { $0.contains(device) })

        let portal = ServedTransport([:]) { _, reply in
            reply = .init(
                status: 200, fields: ["Content-Type": "text/html"], body: Array("<html>".utf8))
        }
        let captive = try self.client {
            $0.origin = ServedTransport.address
            $0.transport = PackTransport(portal)
        }
        #expect(try number(captive.start().release) == "1")
        #expect(try await code(captive)?.hasPrefix("http.") == true)
        #expect(try number(captive.release) == "1")
    }

    /// A page keeps its release, although two updates came and were confirmed.
    @Test func treesOfPagesStay() async throws {
        try await play.publish(Self.release(1))
        let client = try client()
        _ = try await update(client)
        _ = client.start()
        try client.markReady()
        let view = PageView { client.pages(scheme: "customscheme", host: "shop") }
        let page = PageRequest(url: "customscheme://shop/index.html", isMainDocument: true)
        func text(_ path: String) throws -> String {
            let request = PageRequest(url: "customscheme://shop/\(path)", page: page.url)
            guard case .answer(let answer) = view.plan(request), answer.head.status == 200 else {
                return "missing"
            }
            return String(decoding: try answer.body.next() ?? [], as: UTF8.self)
        }
        _ = view.plan(page)
        view.delivered(page)
        for number in 2...4 {
            try await play.publish(Self.release(number))
            _ = try await update(client) { $0.apply = .now }
            try client.markReady()
            #expect(try text("n.txt") == "1")
        }
        _ = view.plan(page)
        view.delivered(page)
        #expect(try text("n.txt") == "4")
        try await play.publish(Self.release(5))
        _ = try await update(client)
        #expect(try play.installState().trees.count == 2, "old trees go with their pages")
    }

    @Test func aCancelledUpdateHoldsNoLockAfterTheWait() async throws {
        let many = (0..<300).map { ("\($0).txt", String(repeating: "\($0) ", count: 10_000)) }
        try await play.publish(Self.release(1).merging(many) { one, _ in one })
        let client = try client()
        let reading = Task { try await events(client) }
        let directory = try Directory.openOrCreate(play.client)
        for _ in 0..<5000 {
            if try directory.status(".staging") != nil { break }
            try await Task.sleep(for: .milliseconds(1))
        }
        reading.cancel()
        _ = await reading.result
        await client.waitForUpdates()
        let isFree = try FileLock(in: directory, name: ".lock") != nil
        #expect(isFree)
    }
}
