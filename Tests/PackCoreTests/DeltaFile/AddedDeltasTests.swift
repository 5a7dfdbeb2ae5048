import Foundation
import PackClient
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// The current release published again to add deltas missing from its pointer.
@Suite(.eachStore) struct AddedDeltasTests {
    private static func release(_ number: Int) -> [String: String] {
        var random = Noise(seed: 51)
        return [
            "index.html": "<!doctype html><script src=main.\(number)2345678.js></script>",
            "main.\(number)2345678.js": MinifiedText.bundle(
                &random, functions: 120, shift: number, names: []),
        ]
    }

    private func published(_ count: Int) async throws -> Playground {
        let playground = try Playground()
        for number in 1...count { try await playground.publish(Self.release(number), deltas: 0) }
        return playground
    }

    @Test func addsThoseThatAreMissing() async throws {
        let playground = try await published(3)
        var pointer = try #require(try await playground.reader().pointer(.production)).pointer
        pointer.isEnabled = false
        pointer.isMandatory = true
        let edited = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
        ).encode()
        try playground.overwrite("origin/channels/production/pointer.json", edited)
        try playground.overwrite("origin/channels/production/log/3.json", edited)
        let before = try playground.tree("origin")

        var planned = try await playground.request(Self.release(3))
        planned.deltas = .init(count: 2)
        let plan = try await playground.plan(planned)
        #expect(plan.outcome == .renewed && plan.sequence == 4)
        let report = try await playground.publish(planned)
        #expect(report.outcome == .renewed)
        #expect(report.sequence == 4)
        #expect(report.deltas.count == 2 && report.deltasKept == 0)
        #expect(plan.deltas == report.deltas)
        #expect(plan.pointerSize == report.pointerSize)

        var next = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(next.deltas == report.deltas)
        #expect(!next.isEnabled && next.isMandatory)
        next.deltas = []
        #expect(next.previous == 3)
        #expect(next.saysTheSame(as: pointer))
        // Only the new deltas and the pointer change; site/ and all other files stay the same.
        let after = try playground.tree("origin")
        let changed = Set(after.keys).filter {
            after[$0]?.kind == "file" && after[$0]?.bytes != before[$0]?.bytes
        }
        let folder = "releases/\(report.version)"
        #expect(
            changed
                == Set(report.deltas.map { "\(folder)/delta-\($0.from).zip" })
                .union(["channels/production/pointer.json", "channels/production/log/4.json"]))
        let verification = try await playground.verify()
        #expect(verification.isSound, "\(verification.failures)")
        #expect(verification.orphans.isEmpty)

        // The second publish has nothing to do.
        let again = try await playground.publish(planned)
        #expect(again.outcome == .unchanged && again.sequence == 4)
        #expect(try playground.tree("origin") == after)
    }

    /// An existing delta stays even if the request does not include it.
    @Test func keepsOthers() async throws {
        let playground = try await published(3)
        let versions = try await [1, 2].asyncMap {
            try await playground.reader().logEntry(.production, $0).pointer.version
        }
        for version in versions {
            var request = try await playground.request(Self.release(3))
            request.deltas = .init(count: 0, from: [version])
            #expect(try await playground.publish(request).outcome == .renewed)
        }
        let pointer = try #require(try await playground.reader().pointer(.production)).pointer
        #expect(Set(pointer.deltas.map(\.from)) == Set(versions))
        #expect(pointer.sequence == 5)
        #expect(try await playground.verify().isSound)
    }

    /// A client of the first release uses the added delta.
    @Test func aClientTakesIt() async throws {
        let playground = try Playground()
        try await playground.publish(Self.release(1), deltas: 0)
        try await playground.install()
        try await playground.publish(Self.release(2), deltas: 0)
        try await playground.publish(Self.release(2), deltas: 1)
        let update = try await playground.install()
        #expect(update.installed.route == .delta && update.fetched.info == 0)
        #expect(update.state.sequence == 3)
    }

    @Test func oneThatDoesNotPayWritesNothing() async throws {
        let playground = try Playground()
        try await playground.publish(["a.txt": "one"], deltas: 0)
        try await playground.publish(["b.txt": "two"], deltas: 0)
        let before = try playground.tree("origin")
        let report = try await playground.publish(["b.txt": "two"], deltas: 3)
        #expect(report.outcome == .unchanged && report.sequence == 2)
        #expect(report.notes.contains { $0.contains("at least an eighth smaller") })
        #expect(try playground.tree("origin") == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: playground.path)
                .allSatisfy { !$0.hasPrefix("packtool-") })
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Result>(
        _ body: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
