import Foundation
import PackDeltaFile
import PackGround
import PackRelease
import TestSupport
import Testing

/// A delta between any two trees gives the new one.
@Suite struct DeltaRoundTripTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func bundle(_ seed: UInt64, shift: Int, _ names: [String]) -> [UInt8] {
        var random = Noise(seed: seed)
        return bytes(MinifiedText.bundle(&random, functions: 120, shift: shift, names: names))
    }

    private static func noise(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = Noise(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let old: [String: [UInt8]]
        let new: [String: [UInt8]]

        init(_ name: String, _ old: [String: [UInt8]], _ new: [String: [UInt8]]) {
            testDescription = name
            self.old = old
            self.new = new
        }
    }

    static let situations: [Situation] = {
        let page = bytes("<!doctype html><script src=main.0a1b2c3d.js></script>")
        let many = Dictionary(
            uniqueKeysWithValues: (0..<400).map { ("many/\($0).txt", bytes("file \($0)\n")) })
        return [
            Situation("one byte", ["a": [1]], ["a": [2]]),
            Situation("one byte more", ["a": [1]], ["a": [1, 1]]),
            Situation("empty to full", ["a": []], ["a": page]),
            Situation("full to empty", ["a": page], ["a": []]),
            Situation("all new", ["a": page], ["b/c": bundle(1, shift: 0, [])]),
            Situation(
                "all deleted but one", ["a": page, "b": bytes("b"), "c/d": bytes("d")], ["a": page]),
            Situation(
                "all renamed", ["a/x": page, "a/y": bytes("y")], ["b/x": page, "b/y": bytes("y")]),
            Situation("swapped", ["a": page, "b": bytes("b")], ["a": bytes("b"), "b": page]),
            Situation("a file becomes a directory", ["a": page], ["a/b": page]),
            Situation("a directory becomes a file", ["a/b": page], ["a": page]),
            Situation(
                "case alone", ["Logo.txt": page], ["logo.txt": page]),
            Situation(
                "Unicode names", ["grün/ñ.js": page, "日本.js": bytes("1")],
                ["grün/ó.js": page + [0x0A], "日本.js": bytes("2")]),
            // Below `files/` it would exceed the depth limit, so it is coded.
            Situation(
                "regression: noise on the deepest path", ["a": page],
                ["a": page, String(repeating: "d/", count: 31) + "f": noise(3, 3000)]),
            Situation("noise for noise", ["a.bin": noise(1, 9000)], ["a.bin": noise(2, 9000)]),
            Situation(
                "a rename by hash",
                [
                    "main.0a1b2c3d.js": bundle(3, shift: 0, ["chunk.aaaaaaaa.js"]),
                    "index.html": page,
                ],
                [
                    "main.d3c2b1a0.js": bundle(3, shift: 0, ["chunk.bbbbbbbb.js"]),
                    "index.html": bytes("<!doctype html><script src=main.d3c2b1a0.js></script>"),
                ]),
            Situation(
                "shifted names", ["main.js": bundle(4, shift: 0, [])],
                ["main.js": bundle(4, shift: 1, [])]),
            Situation(
                "one base for two", ["a.js": bundle(5, shift: 0, [])],
                ["a.js": bundle(5, shift: 0, ["x"]), "b.js": bundle(5, shift: 0, ["y"])]),
            Situation(
                "broken UTF-8 and NUL", ["a": [0, 0xFF, 0xC3, 0x28] + page],
                ["a": [0, 0xFF, 0xC3, 0x28, 0] + page]),
            Situation("many small ones", many, many.mapValues { $0 + [0x21] }),
            Situation(
                "a long run", ["a": [UInt8](repeating: 0x61, count: 40_000)],
                ["a": [UInt8](repeating: 0x61, count: 40_001)]),
        ]
    }()

    @Test(arguments: situations) func givesTheNewTree(_ situation: Situation) async throws {
        try await DeltaWorkshop().roundTrip(situation.old, situation.new)
    }

    /// Regression: a stream above the limit was coded by the fallback as a whole.
    @Test func beyondTheLimitTheFallbackGoesOn() async throws {
        let workshop = try DeltaWorkshop()
        let old = try await workshop.tree(["a.js": Self.bundle(1, shift: 0, [])], "old")
        let new = try await workshop.tree(["a.js": Self.bundle(2, shift: 3, [])], "new")
        let usual = try await workshop.make(old, new)
        #expect(usual.codedBytes > 1000)
        #expect(usual.work.unpacked == 0)
        let bytes = usual.work.coded + usual.work.copied
        var sizes: [UInt64] = []
        for limit in [0, 1, usual.codedBytes / 2, usual.codedBytes - 1] {
            let short = try await workshop.make(old, new, codedLimit: limit)
            #expect(short.work.coded == limit)
            #expect(short.work.unpacked > 0)
            sizes.append(short.digest.size)
            #expect(short.work.coded + short.work.copied + short.work.unpacked == bytes)
            #expect(try await workshop.apply(old) == new.release)
        }
        #expect(sizes[0] > sizes[2] && sizes[2] > sizes[3])
        #expect(sizes[3] < usual.digest.size + 64)
    }

    /// Files with little new text are first, and get what the limit allows.
    @Test func theLimitGoesToChangesFirst() async throws {
        let workshop = try DeltaWorkshop()
        let old = (0..<8).map { Self.bundle($0, shift: 0, []) + Self.bundle($0 + 20, shift: 0, []) }
        var before: [String: [UInt8]] = [:]
        var after: [String: [UInt8]] = [:]
        for (index, content) in old.enumerated() {
            before["\(index).js"] = content
            after["\(index).js"] =
                index.isMultiple(of: 2)
                ? Self.bundle(UInt64(index) + 40, shift: 0, []) + content.suffix(200)
                : content + Self.bundle(UInt64(index) + 60, shift: 0, []).prefix(2000)
        }
        let (tree, next) = try await (workshop.tree(before, "old"), workshop.tree(after, "new"))
        let usual = try await workshop.make(tree, next)
        #expect(usual.explanation.coded?.map(\.path) == (0..<8).map { "\($0).js" })
        let short = try await workshop.make(tree, next, codedLimit: usual.codedBytes / 4)
        let files = try #require(short.explanation.coded)
        #expect(files.prefix(4).map(\.path).sorted() == [1, 3, 5, 7].map { "\($0).js" })
        #expect(files.first?.cost != nil)
        #expect(files.last?.cost == nil)
        #expect(try await workshop.apply(tree) == next.release)
    }

    @Test func nothingToChangeIsSaid() async throws {
        let workshop = try DeltaWorkshop()
        let one = try await workshop.tree(["a": [1]], "old")
        let two = try await workshop.tree(["a": [1]], "new")
        await #expect(throws: Failure.deltaSameRelease(version: one.release.version.description)) {
            try await workshop.make(one, two)
        }
    }

    /// The promised size of a delta between releases with renamed files only.
    @Test func renamesCostNextToNothing() async throws {
        var old: [String: [UInt8]] = [:]
        var new: [String: [UInt8]] = [:]
        var random = Noise(seed: 9)
        let hash = { (random: inout Noise) in
            String((0..<8).map { _ in "0123456789abcdef".randomElement(using: &random)! })
        }
        let before = (0..<30).map { _ in hash(&random) }
        let after = (0..<30).map { _ in hash(&random) }
        for index in 0..<30 {
            let next = (index + 1) % 30
            old["js/chunk-\(index).\(before[index]).js"] = Self.bundle(
                UInt64(index), shift: 0, ["chunk-\(next).\(before[next]).js"])
            new["js/chunk-\(index).\(after[index]).js"] = Self.bundle(
                UInt64(index), shift: 0, ["chunk-\(next).\(after[next]).js"])
        }
        let size = try await DeltaWorkshop().roundTrip(old, new)
        #expect(size <= 1024 + 40 * 30)
        // The names alone are 30 × 4 bytes of new information.
        #expect(size <= 900)
    }

    /// Random edits of random trees.
    @Test func edits() async throws {
        let workshop = try DeltaWorkshop()
        var random = Noise(seed: 2026)
        for round in 0..<60 {
            var tree: [String: [UInt8]] = [:]
            for index in 0..<Int.random(in: 1...5, using: &random) {
                tree["f\(index).js"] = Self.bundle(
                    UInt64(round * 10 + index), shift: 0, ["a.12345678.js"]
                ).prefix(Int.random(in: 0...3000, using: &random)).map { $0 }
            }
            var edited = tree
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                Self.edit(&edited, &random)
            }
            if edited.isEmpty { edited["left.js"] = [UInt8(round)] }
            if edited == tree { continue }
            try await workshop.roundTrip(tree, edited)
        }
    }

    private static func edit(_ tree: inout [String: [UInt8]], _ random: inout Noise) {
        guard let path = tree.keys.sorted().randomElement(using: &random),
            var content = tree[path]
        else { return }
        let position = Int.random(in: 0...content.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: content.insert(UInt8.random(in: 0...255, using: &random), at: position)
        case 1: content.removeSubrange(position..<min(content.count, position + 17))
        case 2: content.insert(contentsOf: content.prefix(200), at: position)
        case 3:
            tree[path] = nil
            tree["moved-\(position).js"] = content
            return
        case 4:
            tree[path] = nil
            return
        default:
            content = Array(
                String(decoding: content, as: UTF8.self)
                    .replacingOccurrences(of: "value", with: "worth").utf8)
        }
        tree[path] = content
    }
}
