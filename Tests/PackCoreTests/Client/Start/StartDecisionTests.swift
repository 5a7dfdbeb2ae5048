import PackClient
import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

struct StartDecisionTests {
    private typealias Candidate = StartDecision.Candidate
    private typealias Situation = StartDecision.Situation

    private static let versions = (0..<3).map {
        Version(packageHash: StreamHasher.digest(of: Array("release \($0)".utf8)))
    }

    /// Compares random situations of up to three trees and an embedded release with a Python model written from
    /// docs/formats.md.
    @Test func agreesWithPython() async throws {
        var noise = Noise(seed: 48)
        let cases = try (0..<Self.count).map { _ in try Self.randomCase(&noise) }
        let model = try await ForeignTool("python3").run(
            ["\(Checkout.path)/Tests/Support/Python/start_model.py"],
            input: cases.map { Self.json($0.situation, $0.native) + "\n" }.joined())
        let expected = model.output.split(separator: "\n")
        #expect(expected.count == cases.count, "\(model.errors)")
        var choices: [String: Int] = [:]
        for (one, line) in zip(cases, expected) {
            let decision = StartDecision(one.situation, nativeVersion: one.native)
            let found = Self.json(decision)
            choices[Self.name(decision.choice, isShort: true), default: 0] += 1
            guard found == line else {
                Issue.record("\(Self.json(one.situation, one.native))\n\(found)\n\(line)")
                return
            }
        }
        // Each outcome is common.
        #expect(choices.count == 4 && choices.values.allSatisfy { $0 > Self.count / 50 })
    }

    private static let count = 40_000

    private static func randomCase(
        _ noise: inout Noise
    ) throws -> (situation: Situation, native: NativeVersion?) {
        let natives = [
            nil, try NativeVersion("3.1"), try NativeVersion("3.4.9"), try NativeVersion("4"),
        ]
        let ranges = [
            NativeRange(), NativeRange(lowest: natives[1]),
            NativeRange(lowest: try NativeVersion("3.2")),
            NativeRange(highest: try NativeVersion("3.4")),
        ]
        func candidate(_ version: Version, isEmbedded: Bool) -> Candidate {
            let isConfirmed = noise.below(3) == 0
            return Candidate(
                version: version, isEmbedded: isEmbedded, isOfChannel: noise.below(4) > 0,
                epoch: noise.below(2), sequence: 1 + noise.below(3),
                native: ranges[noise.below(ranges.count)], isConfirmed: isConfirmed,
                attempts: noise.below(4))
        }
        var candidates = versions.prefix(noise.below(4)).map { candidate($0, isEmbedded: false) }
        if noise.below(3) > 0 {
            candidates.append(candidate(versions[noise.below(3)], isEmbedded: true))
        }
        let last = natives[noise.below(4)]
        return (
            Situation(
                candidates: candidates, failed: Set(versions.filter { _ in noise.below(4) == 0 }),
                bypasses: noise.below(12) == 0, nativeVersion: last),
            noise.below(2) == 0 ? last : natives[noise.below(4)]
        )
    }

    private static func name(_ choice: StartDecision.Choice, isShort: Bool = false) -> String {
        switch choice {
        case .web: "web"
        case .nothing: "nothing"
        case .release(_, isEmbedded: true): "embedded"
        case .release(let version, isEmbedded: false): isShort ? "tree" : version.description
        }
    }

    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    private static func list(_ versions: Set<Version>) -> String {
        "[" + versions.map(\.description).sorted().map(quoted).joined(separator: ",") + "]"
    }

    private static func json(_ candidate: Candidate) -> String {
        let native = candidate.native
        return """
            {"version":"\(candidate.version)","onChannel":\(candidate.isOfChannel),\
            "epoch":\(candidate.epoch),"sequence":\(candidate.sequence),\
            "min":\(quoted(native.lowest?.description)),"max":\(quoted(native.highest?.description)),\
            "confirmed":\(candidate.isConfirmed),"attempts":\(candidate.attempts)}
            """
    }

    /// A case for the model.
    private static func json(_ situation: Situation, _ native: NativeVersion?) -> String {
        let trees = situation.candidates.filter { !$0.isEmbedded }
        let embedded = situation.candidates.first(where: \.isEmbedded)
        return """
            {"bypass":\(situation.bypasses),"native":\(quoted(native?.description)),\
            "lastNative":\(quoted(situation.nativeVersion?.description)),\
            "failed":\(list(situation.failed)),\
            "trees":[\(trees.map { json($0) }.joined(separator: ","))],\
            "embedded":\(embedded.map { json($0) } ?? "null")}
            """
    }

    /// A decision in the form of the model.
    private static func json(_ decision: StartDecision) -> String {
        let after = decision.after
        let trees = after.candidates.filter { !$0.isEmbedded }
        let embedded = after.candidates.first(where: \.isEmbedded)
        return """
            {"runs":"\(name(decision.choice))","failed":\(list(after.failed)),\
            "attempts":[\(trees.map { "\($0.attempts)" }.joined(separator: ","))],\
            "embedded":\(embedded.map { "\($0.attempts)" } ?? "null"),\
            "lastNative":\(quoted(after.nativeVersion?.description))}
            """
    }

    @Test("a newer app with an older download starts its embedded release; the reverse stays")
    func updatesOfTheApp() throws {
        let native = try NativeVersion("3.2")
        let newer = try NativeVersion("3.3")
        let download = Candidate(version: Self.versions[0], sequence: 5, isConfirmed: true)
        for (sequence, isEmbedded) in [(4, false), (5, false), (6, true)] {
            let embedded = Candidate(
                version: Self.versions[1], isEmbedded: true, sequence: sequence)
            let decision = StartDecision(
                Situation(candidates: [download, embedded], nativeVersion: native),
                nativeVersion: newer)
            #expect(
                decision.choice
                    == .release(Self.versions[isEmbedded ? 1 : 0], isEmbedded: isEmbedded))
        }
    }

    @Test("a release that does not become ready is shown twice, then the previous one")
    func rollback() {
        let previous = Candidate(version: Self.versions[0], sequence: 1, isConfirmed: true)
        let broken = Candidate(version: Self.versions[1], sequence: 2)
        var situation = Situation(candidates: [previous, broken])
        var shown: [Version] = []
        for _ in 0..<4 {
            let decision = StartDecision(situation, nativeVersion: nil)
            guard case .release(let version, _) = decision.choice else { break }
            shown.append(version)
            situation = decision.after
        }
        #expect(shown == [broken.version, broken.version, previous.version, previous.version])
        #expect(situation.failed == [broken.version])
    }
}

extension Noise {
    /// A number below a limit.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
