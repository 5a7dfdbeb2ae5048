import PackGround
import PackOrigin
import PackPublish
import PackS3
import TestSupport
import Testing

/// The round trips of the commands to a bucket.
///
/// Each wave waits for the answers to the preceding one, and "Round trips" in docs/architecture.md
/// has the reason.
@Suite struct WaveTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test("a change added a round trip to a command, unnoticed")
    func waves() async throws {
        var problems: [String] = []
        // On a busy machine a request can be late for its wave.
        for attempt in 0..<5 {
            problems = try await self.problems(
                of: BucketTransport(), pause: .milliseconds(80 << attempt))
            if problems.isEmpty { return }
        }
        #expect(problems == [])
    }

    private func problems(
        of bucket: BucketTransport, pause: Duration
    ) async throws -> [String] {
        var problems: [String] = []
        func expect(
            _ command: String, atMost most: Int, _ body: (S3Store) async throws -> Void
        ) async throws {
            let transport = WaveTransport(bucket, pause: pause)
            let store = S3Store(
                try bucket.client(through: transport), scratch: playground.path, readBack: .hashes)
            let waves = try await transport.waves { try await body(store) }
            guard waves.count > most else { return }
            let text = waves.map { $0.joined(separator: ", ") }.joined(separator: "\n")
            problems.append("\(command), at most \(most):\n\(text)")
        }
        func publish(
            _ files: [String: String], deltas: Int = 0, atMost most: Int
        ) async throws {
            try await expect("publish", atMost: most) {
                _ = try await Publisher.publish(playground.request(files, deltas: deltas), to: $0)
            }
        }
        // Another page than the launch page takes one.
        try await publish(Playground.first, atMost: 13)
        try await publish(Playground.first, atMost: 2)
        try await publish(Playground.second, deltas: 1, atMost: 13)
        try await publish(Playground.second, atMost: 2)
        try await expect("status", atMost: 2) {
            _ = try await OriginHistory($0, policy: .recordedInLog).overview()
        }
        try await expect("rollback", atMost: 10) {
            _ = try await ChannelChanger.run(
                playground.request(.rollback(to: nil, isMandatory: true)), on: $0)
        }
        return problems
    }
}
