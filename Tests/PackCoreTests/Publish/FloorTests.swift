import PackGround
import PackOrigin
import PackPublish
import PackSigning
import PackTrust
import PackVerify
import TestSupport
import Testing

/// Regressions: files near the floor of a new epoch blocked a channel or became part of its
/// history.
@Suite(.eachStore) struct FloorTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private func request(_ files: [String: String], by key: Int) async throws -> PublishRequest {
        var request = try await play.request(files, lifetimeDays: nil)
        request.signers = Signers(keys: [try TrustLab.key(key)], commands: [])
        return request
    }

    @discardableResult
    private func publish(_ files: [String: String], by key: Int) async throws -> PublishReport {
        try await play.publish(request(files, by: key))
    }

    /// Two releases signed by key 7, and a root with key 8 and a new epoch.
    private func stolen(floor: Int?) async throws {
        try play.publishRoot(1, release: [7])
        try await publish(Playground.first, by: 7)
        try await publish(Playground.second, by: 7)
        try play.publishRoot(2, release: [8], epoch: 2, floor: floor)
    }

    private func expectSound(
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> Verification {
        let result = try await play.verify()
        #expect(result.isSound, "\(result.failures)", sourceLocation: location)
        return result
    }

    /// Expects a publish to fail with the file's name, write nothing, and succeed after the file is
    /// removed.
    private func expectRefused(
        over sequence: Int, location: SourceLocation = #_sourceLocation
    ) async throws {
        let path = Playground.entry(sequence)
        let request = try await request(["index.html": "3"], by: 8)
        let before = try play.namedContent()
        for run in [play.publish, play.plan] {
            let error = await #expect(throws: Failure.self, sourceLocation: location) {
                _ = try await run(request)
            }
            #expect(error?.code == .publishForeignFile, sourceLocation: location)
            #expect(
                error?.description.contains(play.path + "/" + path) == true,
                "\(error?.description ?? "")", sourceLocation: location)
        }
        #expect(try play.namedContent() == before, sourceLocation: location)
        try play.remove(path)
        let report = try await play.publish(request)
        #expect(report.sequence == 5, sourceLocation: location)
        #expect(try await play.pointer().previous == 2, sourceLocation: location)
        _ = try await expectSound(location)
    }

    @Test("a file with the number of the floor made every publish end as overtaken")
    func aForeignFileAtTheFloor() async throws {
        try await stolen(floor: 5)
        try play.write(Playground.entry(5), "garbage\n")
        try await expectRefused(over: 5)
    }

    @Test("a file below the floor became what the first pointer of the epoch had replaced")
    func aForeignFileBelowTheFloor() async throws {
        try await stolen(floor: 5)
        try play.write(Playground.entry(3), "garbage\n")
        try await expectRefused(over: 3)
    }

    @Test("a file after entries that were skipped made every publish end as overtaken")
    func aForeignFileAfterSkippedEntries() async throws {
        try await stolen(floor: 3)
        var forged = try await play.pointer()
        for sequence in [3, 4] {
            forged.previous = sequence - 1
            forged.sequence = sequence
            try play.write(
                Playground.entry(sequence), TrustLab.envelope(forged, by: [7]).encode())
        }
        try play.write(Playground.entry(5), "garbage\n")
        try await expectRefused(over: 5)
    }

    @Test("a run that ended before its commit point stopped a channel with a high floor")
    func anInterruptedRunAtAHighFloor() async throws {
        try await stolen(floor: 2_000_000)
        let old = try play.read("origin/channels/production/pointer.json")
        try await publish(Playground.first, by: 8)
        // The state between log entry and pointer.
        try play.write("origin/channels/production/pointer.json", old)
        let notes = try await play.verify().notes
        #expect(!notes.contains { $0.contains("remove it") }, "\(notes)")
        #expect(notes.contains { $0.contains("log/2000000.json was recorded but was never live") })
        #expect(try await publish(Playground.first, by: 8).sequence == 2_000_001)
        #expect(try await publish(Playground.second, by: 8).sequence == 2_000_002)
        _ = try await expectSound()
    }

    @Test("the epoch after one with a high floor forgot its history")
    func aThirdEpochAfterAHighFloor() async throws {
        try await stolen(floor: 2_000_000)
        try await publish(Playground.first, by: 8)
        try play.publishRoot(3, release: [9], epoch: 3, floor: 2_000_001)
        #expect(try await publish(Playground.first, by: 9).sequence == 2_000_001)
        #expect(try await play.pointer().previous == 2_000_000)
        _ = try await expectSound()
    }

    @Test("an entry that nobody had signed became what the first pointer of an epoch had replaced")
    func anUnsignedEntryBelowTheFloor() async throws {
        try await stolen(floor: 5)
        var forged = try await play.pointer()
        forged.root = nil
        forged.previous = nil
        forged.sequence = 4
        try play.write(Playground.entry(4), TrustLab.envelope(forged, by: []).encode())
        #expect(try await publish(Playground.first, by: 8).sequence == 5)
        #expect(try await play.pointer().previous == 2)
        _ = try await expectSound()
    }

    /// An unsigned origin keeps its history, even if its first root starts a new epoch.
    @Test func unsignedHistoryIsContinued() async throws {
        try await play.publish(Playground.first)
        try await play.publish(Playground.second)
        try play.publishRoot(1, release: [7], floor: 3)
        try await publish(["index.html": "3"], by: 7)
        try play.publishRoot(2, release: [8], epoch: 2, floor: 3)
        // The attacker used sequence 3.
        #expect(try await publish(["index.html": "4"], by: 8).sequence == 4)
        #expect(try await play.pointer().previous == 2)
        _ = try await expectSound()
    }
}
