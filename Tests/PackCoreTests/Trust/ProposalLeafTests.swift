import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

/// Every member of a proposed pointer is shown to the second signer, or cannot be changed.
///
/// A new member of the pointer fails here until `ProposalRules.changes(from:)` describes it.
@Suite struct ProposalLeafTests {
    private let play: Playground

    init() throws { play = try Playground() }

    private static let later = Playground.now.adding(days: 1)

    /// Equal in all releases, so that a delta is much smaller than a package.
    private static let large: String = {
        var dice = Dice(7)
        return (0..<20_000).map { _ in String(Int.random(in: 0...9, using: &dice)) }.joined()
    }()

    /// Publishes two releases signed with both keys, and proposes a third with key 7.
    private func proposal() async throws -> (root: SignedRoot, pointer: Pointer) {
        let file = try TrustLab.file(
            TrustLab.root(1, keys: [1], release: [7, 8], releaseThreshold: 2), by: [1])
        try play.write("origin/root/1.json", file)
        for (text, label, time) in [("one", "1.0", 0), ("two", "2.0", 1)] {
            var request = try await request(text, label, Playground.now.adding(hours: time))
            request.signers = Signers(
                keys: [try TrustLab.key(7), try TrustLab.key(8)], commands: [])
            try await play.publish(request)
        }
        var next = try await request("three", "3.0", Self.later)
        next.conditions.rollout = 10
        next.conditions.salt = .text("salt")
        next.conditions.lowest = .all(.version(try NativeVersion("2")))
        next.conditions.highest = .all(.version(try NativeVersion("4")))
        next.conditions.isMandatory = true
        next.by = "anna"
        next.signers = Signers(keys: [try TrustLab.key(7)], commands: [])
        next.isProposal = true
        let bytes = try #require(try await play.publish(next).proposal)
        return (try SignedRoot(file, path: "root"), try PointerProposal(bytes).pointer)
    }

    private func request(
        _ text: String, _ label: String, _ now: Timestamp
    ) async throws -> PublishRequest {
        try await play.request(
            ["index.html": "<h1>\(text)</h1>", "large.txt": Self.large], label: label, now: now,
            lifetimeDays: 30, deltas: 2)
    }

    /// The changes shown to the second signer; `nil` if the proposal is refused.
    private func changes(
        _ payload: JSONValue, _ base: ProposalBase, _ root: SignedRoot
    ) async throws -> [String]? {
        let file = try TrustLab.envelope(
            Envelope.pointerType, JSONWriter.write(payload), by: [7, 8]
        ).encode()
        do {
            let rules = try ProposalRules(file, path: "next.json")
            try rules.checkTime(now: Self.later, clock: Self.later)
            try rules.check(root: root.root)
            try rules.check(after: base, root: root.root, allowsMove: false)
            let request = ProposalRequest(
                file: file, path: "next.json", now: Self.later, clock: Self.later,
                temporaryDirectory: play.path, jobs: 1)
            _ = try await ProposalPublisher.plan(request, on: play.writable)
            return rules.changes(from: try #require(base.live))
        } catch is Failure {
            return nil
        }
    }

    @Test func everyMemberIsShownOrCannotBeChanged() async throws {
        let (root, published) = try await proposal()
        var edited = published
        // An offer that no live pointer has.
        edited.fallbacks[0].rollout = 50
        edited.fallbacks[0].rolloutSalt = "other"
        edited.native = NativeRanges(
            ios: NativeRange(lowest: try NativeVersion("2")),
            android: NativeRange(highest: try NativeVersion("4")))
        edited.fallbacks[0].native = NativeRanges(
            ios: NativeRange(), android: NativeRange(lowest: try NativeVersion("1")))
        for pointer in [published, edited] {
            let payload = try JSONParser.parse(PointerCoding.encode(pointer))
            let file = try TrustLab.envelope(pointer, by: [7]).encode()
            let base = try await ProposalBase.read(
                for: PointerProposal(file), at: play.store(), root: root)
            let honest = try #require(try await changes(payload, base, root))
            let mutants = Mutation.all(of: payload, at: "")
            #expect(mutants.count > 150)
            for mutant in mutants {
                let found = try await changes(mutant.value, base, root)
                #expect(found != honest, "\(mutant.path): \(mutant.change)")
            }
        }
    }
}

/// A JSON value with one changed leaf.
private struct Mutation {
    let path: String
    let change: String
    let value: JSONValue

    /// Every change of a leaf or of the length of an array.
    static func all(of value: JSONValue, at path: String) -> [Mutation] {
        switch value {
        case .object(let members):
            return members.indices.flatMap { index in
                let member = members[index]
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                return all(of: member.value, at: name).map { mutation in
                    var members = members
                    members[index] = .init(member.name, mutation.value)
                    return Mutation(
                        path: mutation.path, change: mutation.change, value: .object(members))
                }
            }
        case .array(let values):
            let inner = values.indices.flatMap { index in
                all(of: values[index], at: "\(path)[\(index)]").map { mutation in
                    var values = values
                    values[index] = mutation.value
                    return Mutation(
                        path: mutation.path, change: mutation.change, value: .array(values))
                }
            }
            guard let first = values.first else { return inner }
            return inner + [
                .init(path: path, change: "shorter", value: .array(Array(values.dropFirst()))),
                .init(path: path, change: "longer", value: .array(values + [first])),
            ]
        default:
            let name = String(path.split(separator: ".").last ?? "")
            return others(than: value, name).map { .init(path: path, change: "\($0)", value: $0) }
        }
    }

    private static func others(than value: JSONValue, _ name: String) -> [JSONValue] {
        switch value {
        case .bool(let flag): return [.bool(!flag)]
        case .integer(let number):
            return [number + 1, number - 1, 2 * number + 7].map { .integer($0) } + [.null]
        case .string(let text): return strings(besides: text, name) + [.null]
        case .null:
            guard let value = added[name] else {
                Issue.record("give '\(name)' a value in this test")
                return []
            }
            return [value]
        case .array, .object, .decimal: return []
        }
    }

    private static func strings(besides text: String, _ name: String) -> [JSONValue] {
        if name == "operation" {
            let all = ["publish", "promote", "rollback", "rollout", "pause", "resume", "renew"]
            return all.filter { $0 != text }.map { .string($0) }
        }
        if let time = Timestamp(text) {
            return [-12, 12].map { .string("\(time.adding(hours: $0))") }
        }
        let last = text.last == "0" ? "1" : "0"
        return [.string(text + "0"), .string(text.dropLast() + last)]
    }

    /// Values of optional members.
    private static let added: [String: JSONValue] = [
        "previous": .integer(1), "root": .integer(1), "operation": .string("publish"),
        "by": .string("eve"), "expires": .string("2027-01-01T00:00:00Z"),
        "source": .members(["channel": .string("beta"), "sequence": .integer(1)]),
        "mandatorySequence": .integer(1), "label": .string("9.0"), "rolloutSalt": .string("x"),
        "minNativeVersion": .string("1"), "maxNativeVersion": .string("9"),
    ]
}

extension Timestamp {
    fileprivate func adding(hours: Int) -> Timestamp {
        Timestamp(seconds: seconds + hours * 3600)
    }
}
