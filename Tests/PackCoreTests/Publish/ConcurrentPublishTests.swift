import Foundation
import PackGround
import PackPublish
import PackVerify
import TestSupport
import Testing

/// Several publishers of one origin.
@Suite(.eachStore) struct ConcurrentPublishTests {
    @Test(.directoryOnly) func theLockIsHeld() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.tree("origin")
        let workspace = try Directory.open(playground.origin + "/.packtool")
        guard let lock = try FileLock(in: workspace, name: "lock") else {
            Issue.record("the lock is not to be had")
            return
        }
        let error = await #expect(throws: Failure.publishBusy(origin: playground.origin)) {
            try await playground.publish(Playground.second)
        }
        #expect(error?.exitCode == .conflict)
        _ = consume lock
        #expect(try playground.tree("origin") == before)
        #expect(try await playground.publish(Playground.second).outcome == .published)
    }

    /// Another host, not affected by our lock, records the sequence while we sign.
    @Test func theSequenceIsTakenMeanwhile() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        let request = try await playground.request(
            Playground.second,
            signer: { _ in
                try playground.copy(
                    "origin/channels/production/log/1.json",
                    to: "origin/channels/production/log/2.json")
                return []
            })
        let error = await #expect(
            throws: Failure.publishOvertaken(origin: playground.origin, sequence: 2)
        ) { try await playground.publish(request) }
        #expect(error?.exitCode == .conflict)
        for (path, bytes) in before { #expect(try playground.read("origin/\(path)") == bytes) }
        #expect(try playground.tree("origin/.packtool/staging").isEmpty)
        // The file is not a valid entry, so the error names it.
        await #expect(
            throws: Failure.publishForeignFile(
                path: "\(playground.origin)/channels/production/log/2.json",
                found: "not a pointer of this channel (its sequence is 1)", needed: "a log entry")
        ) { try await playground.publish(Playground.second) }
        try playground.remove("origin/channels/production/log/2.json")
        #expect(try await playground.publish(Playground.second).sequence == 2)
    }

    @Test(.directoryOnly) func manyPublishersAtOnce() async throws {
        let playground = try Playground()
        var requests: [PublishRequest] = []
        for index in 0..<8 {
            var request = try await playground.request(["index.html": "seed"])
            request.scan = try await playground.scan(
                ["index.html": "\(index)"], in: "build\(index)")
            requests.append(request)
        }
        let outcomes = await withTaskGroup(of: Result<PublishReport, any Error>.self) { group in
            for request in requests {
                group.addTask {
                    do { return .success(try await playground.publish(request)) } catch {
                        return .failure(error)
                    }
                }
            }
            var all: [Result<PublishReport, any Error>] = []
            for await one in group { all.append(one) }
            return all
        }
        let done = outcomes.compactMap { try? $0.get() }
        #expect(!done.isEmpty)
        #expect(done.map(\.sequence).sorted() == Array(1...done.count))
        for case .failure(let error) in outcomes {
            #expect(error as? Failure == .publishBusy(origin: playground.origin))
        }
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(verification.channels.first?.recorded == done.count)
    }
}
