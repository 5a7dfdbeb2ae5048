import Foundation
import PackCore
import TestSupport
import Testing

/// Random histories on a clock of their own: publishes, shares, rollbacks, promotions and prunes; after each prune every
/// pointer that a slow client may still hold leads to whole files.
@Suite struct PruneScheduleTests {
    private static let hour = 3600
    private static let grace = 3
    /// `make soak` runs thousands.
    private static let schedules =
        ProcessInfo.processInfo.environment["PACKTOOL_SOAK"] == nil ? 25 : 10_000

    private static func release(_ number: Int) -> [String: String] {
        [
            "index.html": "<h1>\(number % 7)</h1>\n", "app.js": "app(\(number % 5))\n",
            "chunk-\(number % 6).js": "chunk(\(number % 6))\n", "logo.svg": Playground.logo,
        ]
    }

    /// A pointer as a client read it, and when the next one replaced it.
    private struct Held {
        let channel: String
        let pointer: Pointer
        var replacedAt: Int?
    }

    @Test(arguments: 1...schedules) func aSlowClientFindsWhatItWasOffered(seed: Int) async throws {
        var random = Noise(seed: UInt64(seed))
        let playground = try Playground()
        var now = Playground.now.seconds
        var held: [Held] = []
        func hold(_ channel: String) async throws {
            let live = try await playground.reader().pointer(Channel(channel))
            guard let pointer = live?.pointer else { return }
            if let last = held.lastIndex(where: { $0.channel == channel }) {
                if held[last].pointer.sequence == pointer.sequence { return }
                held[last].replacedAt = now
            }
            held.append(Held(channel: channel, pointer: pointer))
        }
        for step in 0..<14 {
            now += Int.random(in: 1...40, using: &random) * Self.hour
            let time = Timestamp(seconds: now)
            let channel = Bool.random(using: &random) ? "production" : "beta"
            switch Int.random(in: step == 0 ? 0...2 : 0...8, using: &random) {
            case 0...3:
                var request = try await playground.request(
                    Self.release(Int.random(in: 0..<20, using: &random)), channel: channel,
                    now: time, lifetimeDays: nil, deltas: Int.random(in: 0...1, using: &random))
                if Int.random(in: 0..<3, using: &random) == 0 { request.conditions.rollout = 20 }
                try await tolerating { try await playground.publish(request) }
            case 4:
                let request = try playground.request(
                    .rollback(to: nil, isMandatory: false), channel: channel, now: time)
                try await tolerating { try await playground.change(request) }
            case 5:
                let other = channel == "beta" ? "production" : "beta"
                let promotion = ChannelRequest.Promotion(
                    source: try Channel(other), deltas: .init(count: 0))
                let request = try playground.request(
                    .promote(promotion), channel: channel, now: time)
                try await tolerating { try await playground.change(request) }
            default: break
            }
            try await hold("production")
            try await hold("beta")
            let keep = Int.random(in: 1...3, using: &random)
            let report = try await Pruner.run(
                PruneRequest(
                    origin: playground.origin, keep: keep, graceDays: Self.grace,
                    delayHours: Int.random(in: 0...30, using: &random), now: time, jobs: 1))
            let expired = now - Self.grace * 86_400
            for client in held where client.replacedAt ?? now > expired {
                try expectWhole(client.pointer, playground)
            }
            let result = try await playground.verify()
            #expect(result.isSound, "seed \(seed), step \(step): \(result.failures)")
            // Until something is deleted, the log still needs what waits.
            #expect(Set(result.orphans).isSubset(of: report.waiting.map(\.place)), "seed \(seed)")
        }
    }

    /// Reads what a client would, with nothing but the hashes in the pointer.
    private func expectWhole(_ pointer: Pointer, _ playground: Playground) throws {
        for entry in pointer.entries {
            for content in [entry.info, entry.package] + entry.deltas.map(\.content) {
                let place = content.url.dropFirst(Playground.base.utf8.count + 1)
                let bytes = try playground.read("origin/\(place)")
                #expect(StreamHasher.digest(of: bytes) == content.sha256)
            }
            let info = try playground.read(
                "origin/\(entry.info.url.dropFirst(Playground.base.utf8.count + 1))")
            for asset in try ManifestCoding.decode(info, place: "info.json").entries {
                let place = asset.url.dropFirst(Playground.base.utf8.count + 1)
                let bytes = try playground.read("origin/\(place)")
                #expect(StreamHasher.digest(of: bytes) == asset.asset.sha256)
            }
        }
    }

    /// A command may refuse: nothing to go back to, nothing to promote, a share that would shrink.
    private func tolerating(_ body: () async throws -> some Any) async throws {
        do {
            _ = try await body()
        } catch is ChannelError {
        } catch is PublishError {
        } catch is OriginError {
        }
    }
}
