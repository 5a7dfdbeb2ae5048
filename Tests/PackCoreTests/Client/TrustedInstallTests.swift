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

/// Publishing with keys, and installing with a root.
struct TrustedInstallTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private func publishRoot(_ root: TrustRoot, by signers: [Int]) throws -> SignedRoot {
        let file = try TrustLab.file(root, by: signers)
        try play.write("origin/root/\(root.version).json", file)
        return try SignedRoot(file, path: "root")
    }

    @discardableResult
    private func publish(
        _ files: [String: String] = Playground.first, by keys: [Int] = [100], renew: Bool = false,
        lifetimeDays: Int? = 90, now: Timestamp = Playground.now
    ) async throws -> PublishReport {
        var request = try await play.request(
            files, now: now, renew: renew, lifetimeDays: lifetimeDays)
        request.signers = Signers(keys: try keys.map(TrustLab.key), commands: [])
        return try await play.publish(request)
    }

    @discardableResult
    private func install(
        _ trust: TrustPin? = nil, now: Timestamp = Playground.now
    ) async throws -> InstallReport {
        let request = InstallRequest(
            origin: play.origin, directory: play.client, channel: .production, now: now, jobs: 2,
            trust: trust)
        guard let memory = play.memory else { return try await Installer.install(request) }
        return try await Installer.install(request, from: memory)
    }

    private func verify(_ trust: TrustPin? = nil) async throws -> Verification {
        try await OriginVerifier.verify(play.origin, now: Playground.now, jobs: 2, trust: trust)
    }

    @Test func aSignedOriginFromTheStart() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        let report = try await publish(lifetimeDays: nil)
        #expect(report.sequence == 1)
        #expect(report.expires == Playground.now.adding(days: 30))
        let first = try await install(.root(root))
        #expect(first.outcome == .installed)
        #expect(first.state.trust?.root == 1)
        #expect(first.fetched.log == 0)
        #expect(try play.read("client/trust/root.json") == root.bytes)
        let second = try await install()
        #expect(second.outcome == .unchanged)
        #expect(second.state == first.state)
        let result = try await verify(.root(root))
        #expect(result.isSound, "\(result.failures)")
        #expect(result.orphans == [])
        #expect(result.notes == [])
        #expect(try await verify().notes.count == 1)
    }

    @Test func aPinByHash() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        let wrong = StreamHasher.digest(of: [])
        await expectFailure(of: "trust") { try await install(.hash(wrong, version: 1)) }
        #expect(!play.exists("client/trust"))
        try await install(.hash(root.digest, version: 1))
        // A known pin needs no further download.
        try play.remove("origin/root/1.json")
        try await install(.hash(root.digest, version: 1))
        await expectFailure(of: "trust") { try await install(.hash(wrong, version: 1)) }
    }

    @Test("a wrong root on the first run locked the directory")
    func aWrongPin() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        let wrong = try TrustLab.signed(TrustLab.root(1, keys: [3], release: [200]), by: [3])
        await expectFailure(of: "trust") { try await install(.root(wrong)) }
        #expect(!play.exists("client/trust/root.json"))
        #expect(try await install(.root(root)).outcome == .installed)
        // The accepted root is kept.
        await expectFailure(of: "trust") { try await install(.root(wrong)) }
        #expect(try play.read("client/trust/root.json") == root.bytes)
    }

    @Test("explain says what a client with a root checks")
    func explained() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        let store = try DirectoryStore.open(play.origin)
        let explain = { (pin: SignedRoot, now: Timestamp) in
            try await Explanation.of(
                ExplainRequest(channel: .production, now: now, pin: .root(pin)), at: store)
        }
        let found = try await explain(root, Playground.now)
        #expect(found.verdict == .updates)
        #expect(
            found.steps.map(\.what).prefix(4) == ["root", "signature", "floor", "sequence"])
        let report = try await install(.root(root))
        #expect(report.fetched == found.fetched)
        let wrong = try TrustLab.signed(TrustLab.root(1, keys: [3], release: [200]), by: [3])
        let refused = try await explain(wrong, Playground.now)
        #expect(refused.verdict == .refused)
        #expect(refused.steps.map(\.passes) == [true, false])
        #expect(refused.steps.last?.finding.contains("signature") == true)
        let late = try await explain(root, root.root.expires)
        #expect(late.steps.last?.finding.contains("expired") == true)
        // The update to a newer root is reported.
        _ = try publishRoot(TrustLab.root(2, keys: [1]), by: [1])
        let walked = try await explain(root, Playground.now)
        #expect(walked.steps.map(\.what).prefix(2) == ["root", "newer root"])
        #expect(walked.verdict == .updates)
    }

    @Test("an installation that lost its root went on without one")
    func aLostRoot() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        try await install(.root(root))
        try play.remove("client/trust")
        let error = await #expect(throws: Failure.self) { try await install() }
        #expect(error?.code == .trustRootLost)
        #expect(try await install(.root(root)).outcome == .unchanged)
        #expect(try await install().outcome == .unchanged)
    }

    @Test func migration() async throws {
        try await play.publish(Playground.first)
        try await play.install()
        let root = try publishRoot(
            TrustLab.root(1, keys: [1], floors: ["production": 2]), by: [1])
        // The unsigned pointer is below the floor.
        await expectFailure(of: "trust") { try await install(.root(root)) }
        // Even with unchanged content, the pointer must be signed.
        let report = try await publish()
        #expect(report.sequence == 2)
        #expect(try await install(.root(root)).outcome == .unchanged)
        #expect(try await verify(.root(root)).isSound)
        // An app without the pin works unchanged.
        let old = try await play.install(into: "old")
        #expect(old.outcome == .installed)
        #expect(old.notes.count == 1)
        #expect(try await publish().outcome == .unchanged)
    }

    @Test func unsignedAfterThePin() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        try await install(.root(root))
        let pointer = try await play.reader().pointer(.production)?.pointer
        var forged = try #require(pointer)
        forged.sequence += 1
        let file = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(forged)
        ).encode()
        try play.write("origin/channels/production/pointer.json", file)
        try play.write("origin/channels/production/log/2.json", file)
        await expectFailure(of: "trust") { try await install() }
        #expect(try await verify(.root(root)).isSound == false)
        // Without a pin, nothing changes.
        _ = try await play.install(into: "old")
    }

    @Test func rotationAndRevocation() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1, 2], threshold: 2), by: [1, 2])
        try await publish()
        try await install(.root(root))
        _ = try publishRoot(
            TrustLab.root(
                2, keys: [2, 3], release: [7], epoch: 2, floors: ["production": 10]),
            by: [1, 2, 3])
        // The old key can no longer publish, and nothing was uploaded.
        let before = try play.tree("origin")
        await expectFailure(of: "signing") { try await publish(Playground.second) }
        #expect(try play.tree("origin") == before)
        let report = try await publish(Playground.second, by: [7])
        #expect(report.sequence == 10)
        let update = try await install()
        #expect(update.outcome == .updated)
        #expect(update.state.trust == .init(root: 2, epoch: 2, checkedAt: Playground.now))
        #expect(update.fetched.roots > 0)
        let result = try await verify(.root(root))
        #expect(result.isSound, "\(result.failures)")
        #expect(result.notes.contains { $0.contains("revoked since") })
    }

    @Test func publishersAreRefusedEarly() async throws {
        _ = try publishRoot(
            TrustLab.root(1, keys: [1], release: [7, 8], releaseThreshold: 2), by: [1])
        let before = try play.tree("origin")
        for keys in [[], [7], [7, 7], [7, 9], [1]] {
            await expectFailure(of: "signing", "\(keys)") { try await publish(by: keys) }
        }
        await expectFailure(of: "trust") {
            try await publish(by: [7, 8], now: Playground.now.adding(days: 365))
        }
        #expect(try play.tree("origin") == before)
        try await publish(by: [8, 7])
    }

    /// Write access to the storage must not affect the next signed pointer.
    @Test func aForgedPointerIsNotContinued() async throws {
        _ = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        var forged = try #require(try await play.reader().pointer(.production)?.pointer)
        forged.sequence = 2
        forged.isEnabled = false
        for (root, keys) in [(nil, []), (1, []), (1, [9]), (2, [100])] as [(Int?, [Int])] {
            forged.root = root
            let file = try TrustLab.envelope(forged, by: keys).encode()
            try play.write("origin/channels/production/pointer.json", file)
            try play.write("origin/channels/production/log/2.json", file)
            let before = try play.tree("origin")
            await expectFailure(of: "signing", "\(root ?? 0) \(keys)") {
                try await publish(Playground.second)
            }
            #expect(try play.tree("origin") == before)
        }
    }

    @Test func keysWithoutARoot() async throws {
        await expectFailure(of: "signing") { try await publish() }
    }

    @Test func aReplayInAnotherEpoch() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        let old = try play.read("origin/channels/production/pointer.json")
        try await publish(Playground.second)
        try await install(.root(root))
        let new = try play.read("origin/channels/production/pointer.json")
        try play.write("origin/channels/production/pointer.json", old)
        await #expect(throws: Failure.installReplayed(offered: 1, seen: 2)) { try await install() }
        // A new epoch ignores it, so that a forged high sequence does not stop updates.
        _ = try publishRoot(TrustLab.root(2, keys: [1], epoch: 2), by: [1])
        let later = Playground.now.adding(days: 2)
        #expect(try await install(now: later).outcome == .updated)
        try play.write("origin/channels/production/pointer.json", new)
        #expect(try await install(now: later).outcome == .updated)
    }

    @Test func aDamagedStoredRootEndsTheRun() async throws {
        let root = try publishRoot(TrustLab.root(1, keys: [1]), by: [1])
        try await publish()
        try await install(.root(root))
        try play.write("client/trust/root.json", "{}")
        await expectFailure(of: "trust") { try await install() }
        await expectFailure(of: "trust") { try await install(.root(root)) }
        try play.remove("client/trust/root.json")
        try await install(.root(root))
    }
}
