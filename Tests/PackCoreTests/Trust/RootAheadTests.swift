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

/// A root created with a clock that was ahead: devices accept its time as the current time.
@Suite struct RootAheadTests {
    private let play: Playground
    private static let ahead = Playground.now.adding(days: 45)

    init() throws { play = try Playground() }

    private func file(_ root: TrustRoot) throws -> [UInt8] { try TrustLab.file(root, by: [1]) }

    /// Stores a root that `keys publish` would refuse.
    private func put(_ root: TrustRoot) throws -> SignedRoot {
        let file = try file(root)
        try play.write("origin/root/\(root.version).json", file)
        return try SignedRoot(file, path: "root")
    }

    private func publish(_ files: [String: String], days: Int?) async throws -> PublishReport {
        var request = try await play.request(files, lifetimeDays: days)
        request.signers = Signers(keys: [try TrustLab.key(100)], commands: [])
        return try await play.publish(request)
    }

    private func install(_ root: SignedRoot, now: Timestamp = Playground.now) async throws
        -> InstallReport
    {
        try await Installer.install(
            InstallRequest(
                origin: play.origin, directory: play.client, channel: .production, now: now,
                jobs: 2, trust: .root(root)))
    }

    @Test("a root of a clock that was ahead was published, and no device took anything any more")
    func isNotPublished() async throws {
        for (lead, isRefused) in [(3601, true), (3600, false)] {
            let created = Timestamp(seconds: Playground.now.seconds + lead)
            let bytes = try file(TrustLab.root(1, keys: [1], created: created))
            do {
                _ = try await RootPublisher.publish(
                    bytes, path: "1.root.json", to: play.origin, now: Playground.now)
                #expect(!isRefused)
            } catch let error as Failure {
                #expect(error.code == .trustRootAhead && isRefused)
            }
            #expect(play.exists("origin/root/1.json") == !isRefused)
        }
    }

    @Test func whatExpiresBeforeItIsNotPublished() async throws {
        let root = try put(TrustLab.root(1, keys: [1], created: Self.ahead))
        let error = await #expect(throws: Failure.self) {
            _ = try await publish(Playground.first, days: nil)
        }
        #expect(
            error
                == .publishExpiredUnderRoot(
                    expires: Playground.now.adding(days: 30).description,
                    createdAt: Self.ahead.description, root: 1))
        _ = try await publish(Playground.first, days: 60)
        #expect(try await install(root).outcome == .installed)
        await expectFailure(of: "publish") {
            try await play.change(
                .renew, lifetimeDays: 30,
                signers: Signers(keys: [try TrustLab.key(100)], commands: []))
        }
        let verification = try await play.verify()
        #expect(
            verification.notes.contains { $0.contains("45 days ahead of this machine's clock") })
    }

    @Test func theDeviceSaysWhoseTimeItWas() async throws {
        let first = try put(TrustLab.root(1, keys: [1]))
        _ = try await publish(Playground.first, days: nil)
        _ = try put(TrustLab.root(2, keys: [1], created: Self.ahead))
        let expected = Failure.installExpiredByRoot(
            at: Playground.now.adding(days: 30).description, root: 2,
            createdAt: Self.ahead.description)
        await #expect(throws: expected) { _ = try await install(first) }
        await #expect(
            throws: Failure.installExpired(at: Playground.now.adding(days: 30).description)
        ) {
            _ = try await install(first, now: Self.ahead)
        }
    }

    @Test("nothing said that a new root refuses what is live")
    func aRootThatRefusesTheLivePointer() async throws {
        _ = try put(TrustLab.root(1, keys: [1]))
        _ = try await publish(Playground.first, days: nil)
        for (release, isRefused) in [([100], false), ([101], true)] {
            let report = try await RootPublisher.publish(
                file(TrustLab.root(2, keys: [1], release: release)), path: "2.root.json",
                to: play.origin, now: Playground.now)
            let note = report.notes.first { $0.contains("clients refuse the pointer") }
            #expect((note != nil) == isRefused)
            if isRefused { #expect(note?.contains("renew --channel production") == true) }
            try play.remove("origin/root/2.json")
        }
    }

    @Test(
        "a cache kept that there was no next root, and a device whose root had expired asked nobody else"
    )
    func anExpiredRootIsAskedPastCaches() async throws {
        let first = try put(TrustLab.root(1, keys: [1], days: 10))
        _ = try await publish(Playground.first, days: 60)
        _ = try await install(first)
        let store = MemoryStore(address: "memory", scratch: play.path)
        for path in try play.publicFiles() { store.set(path, try play.read("origin/\(path)")) }
        let cache = CachedStore(store)
        #expect(try await cache.read("root/2.json", limit: 9) == nil)
        store.set("root/2.json", try file(TrustLab.root(2, keys: [1], days: 300)))
        let request = InstallRequest(
            origin: "cache", directory: play.client, channel: .production,
            now: Playground.now.adding(days: 11), jobs: 2)
        let report = try await Installer.install(request, from: cache)
        #expect(report.state.trust?.root == 2)
    }
}
