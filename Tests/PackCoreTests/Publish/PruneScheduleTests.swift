import Foundation
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Random histories with a simulated clock.
///
/// Publishes, shares, rollbacks, promotions and prunes run concurrently or are killed. After each
/// round, every pointer that a slow client may still use must lead to complete files. The store
/// behaves like a bucket without a lock, so only intents coordinate prunes and publishes.
@Suite struct PruneScheduleTests {
    private static let hour = 3600
    private static let grace = 3
    /// The seeds.
    ///
    /// `make soak` runs thousands, and `PACKTOOL_SCHEDULES=2001-4000` selects a range.
    private static let seeds: ClosedRange<Int> = {
        let environment = ProcessInfo.processInfo.environment
        let bounds = (environment["PACKTOOL_SCHEDULES"] ?? "").split(separator: "-").compactMap {
            Int($0)
        }
        if bounds.count == 2, bounds[0] <= bounds[1] { return bounds[0]...bounds[1] }
        return Soak.isLong ? 1...10_000 : 1...50
    }()
    /// The schedules of one test run sequentially; thousands at once would exceed the limit of open
    /// files.
    private static let lanes = 0..<4
    private static let rounds = 14

    private static func release(_ number: Int) -> [String: String] {
        [
            "index.html": "<h1>\(number % 7)</h1>\n", "app.js": "app(\(number % 5))\n",
            "chunk-\(number % 6).js": "chunk(\(number % 6))\n", "logo.svg": "<svg/>\n",
        ]
    }

    /// A pointer that a client read, and the time it was replaced.
    private struct Held {
        let channel: String
        let pointer: Pointer
        var replacedAt: Int?
    }

    /// The state of one history.
    private final class Shop {
        let playground: Playground
        let store: MemoryStore
        let turns: Turns
        let seed: UInt64
        var random: Noise
        var now = Playground.now.seconds
        var held: [Held] = []

        init(seed: Int) throws {
            let seed = UInt64(seed)
            let (playground, turns) = (try Playground(), Turns(seed: seed &+ 1_000_000))
            store = MemoryStore(address: "memory", scratch: playground.path) { _ in
                try await turns.change()
            }
            (self.playground, self.turns, self.seed) = (playground, turns, seed)
            random = Noise(seed: seed)
        }

        var time: Timestamp { Timestamp(seconds: now) }

        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        /// Prepares a command or a prune.
        func work(_ index: Int, isFirst: Bool) async throws -> @Sendable () async throws -> Void {
            let (store, time) = (store, time)
            let channel = number(0...1) == 0 ? "production" : "beta"
            switch isFirst ? 0 : number(0...9) {
            case 0...3:
                var request = try await playground.request(
                    PruneScheduleTests.release(number(0...19)), channel: channel, now: time,
                    lifetimeDays: nil, deltas: number(0...3) / 3)
                // Runs concurrently with another build.
                request.scan = try await playground.scan(
                    PruneScheduleTests.release(number(0...19)), in: "build-\(index)")
                if number(0...2) == 0 { request.conditions.rollout = 20 }
                let ready = request
                return { _ = try await Publisher.publish(ready, to: store) }
            case 4:
                let request = try playground.request(
                    .rollback(to: nil, isMandatory: false), channel: channel, now: time)
                return { _ = try await ChannelChanger.run(request, on: store) }
            case 5:
                let other = channel == "beta" ? "production" : "beta"
                let promotion = ChannelRequest.Promotion(
                    source: try Channel(other), deltas: .init(count: 0))
                let request = try playground.request(
                    .promote(promotion), channel: channel, now: time)
                return { _ = try await ChannelChanger.run(request, on: store) }
            default:
                let request = PruneRequest(
                    keep: number(1...2), graceDays: PruneScheduleTests.grace,
                    delayHours: number(0...2) == 0 ? 24 : 0, now: time, jobs: 1)
                return { _ = try await Pruner.run(request, on: store) }
            }
        }

        /// A client reads a channel's pointer.
        func hold(_ channel: String) async throws {
            let live = try await OriginReader(store, policy: .recordedInLog).pointer(
                Channel(channel))
            guard let pointer = live?.pointer else { return }
            if let last = held.lastIndex(where: { $0.channel == channel }) {
                if held[last].pointer.sequence == pointer.sequence { return }
                held[last].replacedAt = now
            }
            held.append(Held(channel: channel, pointer: pointer))
        }

        /// The files a client would miss, found only by the hashes in the pointer.
        func missing(_ pointer: Pointer) throws -> [String] {
            var missing: [String] = []
            func read(_ url: String, _ digest: Digest) -> [UInt8]? {
                let path = String(url.dropFirst(Playground.base.utf8.count + 1))
                let bytes = store.file(path)?.bytes
                guard let bytes, StreamHasher.digest(of: bytes) == digest else {
                    missing.append(path)
                    return nil
                }
                return bytes
            }
            for entry in pointer.entries {
                for content in [entry.package] + entry.deltas.map(\.content) {
                    _ = read(content.url, content.sha256)
                }
                guard let info = read(entry.info.url, entry.info.sha256) else { continue }
                for asset in try ManifestCoding.decode(info, path: "info.json").entries {
                    _ = read(asset.url, asset.asset.sha256)
                }
            }
            return missing
        }

        func round(_ step: Int) async throws {
            now += number(1...40) * PruneScheduleTests.hour
            var works: [@Sendable () async throws -> Void] = []
            for index in 0..<(step == 0 ? 1 : number(1...3)) {
                works.append(try await work(index, isFirst: step == 0))
            }
            var fuses: [Int: Int] = [:]
            for index in works.indices where number(0...7) == 0 { fuses[index] = number(1...12) }
            let problems = Problems(isNew: held.isEmpty)
            await turns.run(
                works.map { work in
                    { await problems.tolerating(work) }
                }, fuses: fuses)
            let unexpected = await problems.all
            #expect(unexpected.isEmpty, "seed \(seed), round \(step): \(unexpected)")
            try await hold("production")
            try await hold("beta")
            let expired = now - PruneScheduleTests.grace * 86_400
            for client in held where client.replacedAt ?? now > expired {
                let missing = try missing(client.pointer)
                #expect(
                    missing.isEmpty,
                    "seed \(seed), round \(step), \(client.channel) \(client.pointer.sequence): \(missing)"
                )
            }
        }
    }

    /// Collects violations from concurrent runs.
    private actor Problems {
        private(set) var all: [String] = []
        /// Whether nothing is live yet.
        ///
        /// An early kill of the first publish leaves no origin.
        private let isNew: Bool

        init(isNew: Bool) { self.isNew = isNew }

        /// Tolerates expected errors: no rollback target, nothing to promote, overtaken, or a
        /// running prune.
        func tolerating(_ body: () async throws -> Void) async {
            do {
                try await body()
            } catch is Turns.Killed {
            } catch let failure as Failure
                where ["channel", "prune", "publish"].contains(where: failure.code.isOf)
            {
                if failure.code == .publishDamaged { all.append("\(failure)") }
            } catch let error as Failure where error.code.isOf("origin") {
                if error.code == .originNothingPublished { return }
                if error.code == .originNotAnOrigin, isNew { return }
                all.append("\(error)")
            } catch {
                all.append("\(error)")
            }
        }
    }

    @Test(arguments: lanes) func aSlowClientFindsWhatItWasOffered(lane: Int) async throws {
        var kills = 0
        for seed in Self.seeds where seed % Self.lanes.count == lane {
            kills += try await run(seed)
        }
        #expect(kills > 0 || Self.seeds.count < 50)
    }

    /// Runs one history.
    ///
    /// - Returns: The number of killed runs.
    private func run(_ seed: Int) async throws -> Int {
        let shop = try Shop(seed: seed)
        for step in 0..<Self.rounds { try await shop.round(step) }
        // A day later no run counts as active, and the next publish and prune leave a valid origin.
        shop.now += 30 * Self.hour
        var request = try await shop.playground.request(
            ["index.html": "last \(seed)"], now: shop.time, lifetimeDays: nil)
        request.conditions.rollout = 100
        _ = try await Publisher.publish(request, to: shop.store)
        for _ in 0..<2 {
            let report = try await Pruner.run(
                PruneRequest(
                    keep: 1, graceDays: Self.grace, delayHours: 24,
                    now: shop.time, jobs: 1), on: shop.store)
            let result = try await OriginVerifier.verify(shop.store, now: shop.time, jobs: 1)
            #expect(result.isSound, "seed \(seed): \(result.failures)")
            // Until its deletion, the log needs the waiting files.
            #expect(
                Set(result.orphans).isSubset(of: report.waiting.map(\.path)), "seed \(seed)")
            // Much later, all waiting files are deleted and only the last release is left.
            shop.now += 60 * 86_400
        }
        #expect(
            try await shop.store.names(in: ".packtool/intents").filter {
                $0.hasPrefix("production.") || $0.hasPrefix("+prune.")
            }.count <= 1)
        return await shop.turns.kills
    }
}
