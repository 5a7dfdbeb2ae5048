import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Prunes of an origin with a release every 40 days.
protocol PrunedShop {}

extension PrunedShop {
    static func time(_ days: Double) -> Timestamp {
        Timestamp(seconds: Playground.now.seconds + Int((days * 86_400).rounded()))
    }

    static func release(_ number: Int) -> [String: String] {
        var files = Playground.numbered(number)
        files["static/chunk-\(number).js"] = "chunk(\(number))\n"
        return files
    }

    /// Releases 1 to `count`, one every 40 days, starting on day 0.
    func shop(_ count: Int) async throws -> (Playground, [Version]) {
        let playground = try Playground()
        var versions: [Version] = []
        for number in 1...count {
            let report = try await playground.publish(
                playground.request(
                    Self.release(number), label: "\(number).0",
                    now: Self.time(Double(40 * (number - 1))), lifetimeDays: nil, deltas: 1))
            versions.append(report.version)
        }
        return (playground, versions)
    }

    func prune(
        _ playground: Playground, at days: Double, keep: Int = 2, grace: Int = 30, delay: Int = 24
    ) async throws -> PruneReport {
        let request = request(playground, at: days, keep: keep, grace: grace, delay: delay)
        let before = try playground.tree("origin")
        let plan = try await Pruner.plan(request, on: playground.writable)
        #expect(try playground.tree("origin") == before)
        let report = try await Pruner.run(request, on: playground.writable)
        #expect(plan.deleted.map(\.path) == report.deleted.map(\.path))
        #expect(plan.waiting.map(\.path) == report.waiting.map(\.path))
        return report
    }

    func request(
        _ playground: Playground, at days: Double, keep: Int = 2, grace: Int = 30, delay: Int = 24
    ) -> PruneRequest {
        PruneRequest(
            keep: keep, graceDays: grace, delayHours: delay, now: Self.time(days), jobs: 2)
    }

    func expectSound(
        _ playground: Playground, orphans: Int = 0, location: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await playground.verify()
        #expect(result.isSound, "\(result.failures)", sourceLocation: location)
        #expect(result.orphans.count == orphans, "\(result.orphans)", sourceLocation: location)
    }
}
