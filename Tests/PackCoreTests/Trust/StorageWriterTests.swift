import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import PackVerify
import TestSupport
import Testing

/// An attacker with write access to a signed origin, but without a key, adds log entries.
///
/// Clients, `verify` and `prune` ignore these entries.
@Suite(.eachStore) struct StorageWriterTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static let day = 86_400
    private static let later = Timestamp(seconds: Playground.now.seconds + 60 * day)

    @discardableResult
    private func publish(
        _ files: [String: String], by key: Int = 7, channel: String = "production",
        now: Timestamp = Playground.now
    ) async throws -> PublishReport {
        var request = try await play.request(
            files, channel: channel, now: now, lifetimeDays: 365)
        request.signers = Signers(keys: [try TrustLab.key(key)], commands: [])
        return try await play.publish(request)
    }

    private func prune(
        keep: Int = 5, graceDays: Int = 0, at now: Timestamp = later
    ) async throws -> PruneReport {
        try await Pruner.run(
            PruneRequest(
                keep: keep, graceDays: graceDays, delayHours: 0, now: now, jobs: 2),
            on: play.writable)
    }

    /// A forged entry that names a valid release with another manifest.
    private func rebinding(
        _ sequence: Int, root: Int?, channel: String = "production", previous: Int? = 2
    ) async throws -> Pointer {
        var forged = try await play.pointer()
        forged.sequence = sequence
        forged.previous = previous
        forged.root = root
        let info = forged.entry.info
        forged.entry.info = ContentReference(
            url: info.url, sha256: try #require(Digest(String(repeating: "0", count: 64))),
            size: info.size)
        return forged
    }

    private func write(_ pointer: Pointer, by keys: [Int], at path: String) throws {
        try play.write(path, TrustLab.envelope(pointer, by: keys).encode())
    }

    private func expectSound(
        _ says: String..., location: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await play.verify()
        #expect(result.isSound, "\(result.failures)", sourceLocation: location)
        let note = result.notes.first { $0.contains("remove the file") } ?? ""
        for word in says {
            #expect(note.contains(word), "\(result.notes)", sourceLocation: location)
        }
    }

    static let forgeries: [(root: Int?, keys: [Int])] = [(nil, []), (1, []), (1, [9])]

    @Test(
        "an entry that nobody had signed made verify blame an intact manifest, and stopped every prune",
        arguments: 0..<3)
    func anEntryRebindsAReleasesManifest(_ number: Int) async throws {
        let (root, keys) = Self.forgeries[number]
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let good = try await publish(Playground.second)
        try await write(rebinding(3, root: root), by: keys, at: Playground.entry(3))
        #expect(try await publish(["index.html": "3"]).sequence == 4)
        #expect(try await play.pointer().previous == 2)
        try await expectSound("log/3.json", "never live")
        let report = try await prune()
        #expect(report.deleted.isEmpty && report.kept == 3)
        #expect(report.notes.contains { $0.contains("log/3.json") }, "\(report.notes)")
        // The release is deleted with its own entry.
        let short = try await prune(keep: 1)
        #expect(short.deleted.map(\.path).contains(OriginLayout.manifest(good.version)))
        try await expectSound("log/3.json")
        try play.remove(Playground.entry(3))
        try await expectSound()
    }

    @Test("deltas started from what an entry said that nobody had signed", arguments: 0..<3)
    func anEntryRebindsTheBaseOfADelta(_ number: Int) async throws {
        let (root, keys) = Self.forgeries[number]
        try play.publishRoot(1, release: [7])
        let base = try await publish(Playground.numbered(1))
        try await publish(Playground.numbered(2))
        var forged = try await rebinding(3, root: root)
        forged.entry = try #require(
            try await play.reader().logEntry(.production, 1).pointer.entries.first)
        forged.entry.packageHash = try #require(
            Digest("\(base.version)" + String(repeating: "0", count: 44)))
        try write(forged, by: keys, at: Playground.entry(3))
        var request = try await play.request(
            Playground.numbered(3), lifetimeDays: 365)
        request.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        request.deltas = .init(count: 1, from: [base.version])
        let report = try await play.publish(request)
        #expect(report.deltas.map(\.from) == [base.version], "\(report.notes)")
        let delta = try #require(try await play.pointer().deltas.first)
        #expect(delta.fromHash != forged.entry.packageHash)
    }

    @Test("what only an unsigned entry named had to be whole")
    func anEntryNamesAReleaseThatIsNotThere() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let elsewhere = try Playground()
        try await elsewhere.publish(["index.html": "elsewhere"])
        var foreign = try await elsewhere.pointer()
        foreign.sequence = 2
        try write(foreign, by: [], at: Playground.entry(2))
        #expect(try await publish(Playground.second).sequence == 3)
        #expect(try await play.pointer().previous == 1)
        try await expectSound("log/2.json", "is not signed")
        #expect(try await prune().kept == 2)
        try await expectSound("log/2.json")
    }

    @Test("an unsigned entry kept a release that it named from being published")
    func anEntryNamesAReleaseThatAKilledRunUploaded() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let pointer = try play.read("origin/channels/production/pointer.json")
        try await publish(Playground.second)
        let forged = try await rebinding(2, root: nil, previous: 1)
        // The state after killing the run before it wrote its log entry.
        try play.write("origin/channels/production/pointer.json", pointer)
        try write(forged, by: [], at: Playground.entry(2))
        #expect(try await publish(Playground.second).sequence == 3)
        try await expectSound("log/2.json")
    }

    @Test("a pinned release was lost to an unsigned entry that named it, too")
    func aPinIsRebound() async throws {
        try play.publishRoot(1, release: [7])
        let pinned = try await publish(Playground.first)
        let pin = Pin(
            channel: .production, version: pinned.version, createdAt: Playground.now, reason: nil)
        try play.write("origin/\(pin.path)", pin.encode())
        try await write(rebinding(3, root: nil), by: [], at: Playground.entry(3))
        try await publish(Playground.second)
        try await publish(["index.html": "3"])
        let report = try await prune(keep: 1)
        #expect(!report.deleted.map(\.path).contains(OriginLayout.package(pinned.version)))
        #expect(play.exists("origin/\(OriginLayout.package(pinned.version))"))
        try await expectSound("log/3.json")
    }

    @Test(
        "a pointer that nobody signed cut the log off, and a prune deleted what all devices had",
        arguments: [[], [9]])
    func thePointerIsReplaced(_ keys: [Int]) async throws {
        try play.publishRoot(1, release: [7])
        for text in ["one", "two", "three"] { try await publish(["index.html": text]) }
        let good = try await play.pointer()
        var forged = good
        forged.sequence = 4
        forged.previous = nil
        if keys.isEmpty { forged.root = nil }
        try write(forged, by: keys, at: Playground.entry(4))
        try write(forged, by: keys, at: "origin/channels/production/pointer.json")
        let before = try play.publicContent()
        let error = await #expect(throws: Failure.self) { try await prune(keep: 1) }
        let code = keys.isEmpty ? "signing.unsigned-pointer" : "signing.forged-pointer"
        #expect(errorCode(error) == code)
        #expect(try play.publicContent() == before)
        // Follow the message.
        try play.write(
            "origin/channels/production/pointer.json", play.read(Playground.entry(3)))
        try play.remove(Playground.entry(4))
        #expect(try await !prune(keep: 1).deleted.isEmpty)
    }

    @Test("a file that is no pointer, in a gap below the pointer, stopped every prune")
    func garbageInAGap() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        try play.publishRoot(2, release: [8], epoch: 2, floor: 5)
        try await publish(Playground.second, by: 8)
        try play.write(Playground.entry(3), "garbage\n")
        try await expectSound("log/3.json", "is not a pointer")
        let report = try await prune()
        #expect(report.notes.contains { $0.contains("log/3.json") }, "\(report.notes)")
        // An entry that was live must exist and be valid.
        try play.write(Playground.entry(1), "garbage\n")
        #expect(try await !play.verify().isSound)
        let error = await #expect(throws: Failure.self) { _ = try await prune() }
        #expect(error?.code == .pruneDamagedEntry)
    }

    /// A key replaced without a compromise, and a run that ended before its commit point.
    @Test func whatAnEarlierRootSignedIsKept() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let pointer = try play.read("origin/channels/production/pointer.json")
        let dead = try await publish(Playground.second)
        try play.write("origin/channels/production/pointer.json", pointer)
        try play.publishRoot(2, release: [8])
        try await publish(["index.html": "3"], by: 8)
        let report = try await prune()
        #expect(report.deleted.isEmpty)
        #expect(play.exists("origin/\(OriginLayout.package(dead.version))"))
        let result = try await play.verify()
        #expect(!result.notes.contains { $0.contains("remove the file") }, "\(result.notes)")
    }

    /// Unsigned entries older than the first root are kept, whether they were live or not.
    @Test func unsignedHistoryIsKept() async throws {
        try await play.publish(Playground.first)
        let pointer = try play.read("origin/channels/production/pointer.json")
        let dead = try await play.publish(Playground.second)
        try play.write("origin/channels/production/pointer.json", pointer)
        try play.publishRoot(1, release: [7], floor: 3)
        for _ in 0..<2 {
            let report = try await prune(at: Playground.now)
            #expect(report.deleted.isEmpty)
            #expect(play.exists("origin/\(OriginLayout.package(dead.version))"))
            let result = try await play.verify()
            #expect(!result.notes.contains { $0.contains("remove the file") }, "\(result.notes)")
            try await publish(["index.html": "3"])
        }
        // Files named by it are still reported as missing.
        try play.remove("origin/\(OriginLayout.package(dead.version))")
        #expect(try await !play.verify().isSound)
    }

    /// An entry with a missing root may be authorized, so its files are not pruned.
    @Test func anEntryOfARootThatIsNotThere() async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first)
        let pointer = try play.read("origin/channels/production/pointer.json")
        try play.publishRoot(2, release: [8])
        let lost = try await publish(Playground.second, by: 8)
        try play.remove("origin/root/2.json")
        try play.write("origin/channels/production/pointer.json", pointer)
        try await publish(["index.html": "3"])
        _ = try await prune()
        #expect(play.exists("origin/\(OriginLayout.package(lost.version))"))
        #expect(try await !play.verify().isSound)
    }

    /// Without a root, forged entries cannot be distinguished from the owner's.
    @Test func anUnsignedOriginIsAsBefore() async throws {
        try await play.publish(Playground.first)
        try await play.publish(Playground.second)
        try await write(rebinding(3, root: nil), by: [], at: Playground.entry(3))
        #expect(try await play.publish(["index.html": "3"]).sequence == 4)
        #expect(try await !play.verify().isSound)
        await expectFailure(of: "origin") { _ = try await prune() }
    }
}
