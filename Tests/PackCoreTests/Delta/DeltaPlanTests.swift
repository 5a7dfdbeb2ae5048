import PackCore
import TestSupport
import Testing

@Suite("Delta plan")
struct DeltaPlanTests {
    private static func plan(
        _ old: [String: [UInt8]], _ new: [String: [UInt8]]
    ) async throws -> DeltaPlan {
        let workshop = try DeltaWorkshop()
        let before = try await workshop.tree(old, "old")
        let after = try await workshop.tree(new, "new")
        return try DeltaPlan(
            from: before.release, to: after.release,
            readOld: { DeltaWorkshop.give(old[$0.path.description] ?? [], to: $1) },
            readNew: { DeltaWorkshop.give(new[$0.path.description] ?? [], to: $1) },
            shrinks: { _ in true })
    }

    private static func bases(_ plan: DeltaPlan) -> [String: String] {
        var bases: [String: String] = [:]
        for coded in plan.coded {
            bases[coded.asset.path.description] =
                coded.base.map { plan.old.assets[$0].path.description } ?? ""
        }
        return bases
    }

    /// What many small files have in common belonged to the first of them, so all were coded along that
    /// one, and their old names had to be listed as deleted.
    @Test("small files that share boilerplate are coded along their namesakes")
    func namesakes() async throws {
        let shared = Noise.text(1, 600)
        var old: [String: [UInt8]] = [:]
        var new: [String: [UInt8]] = [:]
        for (index, name) in ["alpha", "beta", "gamma", "delta", "epsilon"].enumerated() {
            old["js/\(name).Ab3-_xY\(index).js"] = shared + Array("old\(index)".utf8)
            new["js/\(name).Zk9_-wQ\(index).js"] = shared + Array("new\(index)".utf8)
        }
        let plan = try await Self.plan(old, new)
        #expect(plan.deleted.isEmpty)
        let bases = Self.bases(plan)
        #expect(bases.count == 5)
        for (path, base) in bases {
            #expect(path.prefix { $0 != "." } == base.prefix { $0 != "." })
        }
    }

    /// All were copied from the first of them, and their old names had to be listed as deleted.
    @Test("small files of one content are each renamed along their namesakes")
    func twins() async throws {
        var old = ["main.js": Array("one".utf8)]
        var new = ["main.js": Array("two".utf8)]
        for (index, language) in ["bg", "de", "en", "en-GB", "hi", "zh-Hant"].enumerated() {
            for folder in ["config", "energy"] {
                old["\(folder)/\(language)-1\(index)ab34cd.json"] = Array("{}".utf8)
                new["\(folder)/\(language)-7\(index)ef12ab.json"] = Array("{}".utf8)
            }
        }
        let plan = try await Self.plan(old, new)
        #expect(plan.deleted.isEmpty && plan.copies.isEmpty)
        let bases = Self.bases(plan)
        #expect(bases.count == 13)
        for (path, base) in bases where path != "main.js" {
            #expect(path.split(separator: "-").dropLast() == base.split(separator: "-").dropLast())
        }
    }

    @Test("a small file that was only renamed goes through the stream, a large one is copied")
    func renamed() async throws {
        let small = Noise.text(2, 500)
        let large = Noise.text(3, 70_000)
        let old = [
            "small.11111111.js": small, "large.22222222.js": large, "main.js": Array("one".utf8),
        ]
        let new = [
            "small.33333333.js": small, "large.44444444.js": large, "main.js": Array("two".utf8),
        ]
        let plan = try await Self.plan(old, new)
        #expect(
            Self.bases(plan) == ["main.js": "main.js", "small.33333333.js": "small.11111111.js"])
        #expect(plan.copies.map(\.new.path.description) == ["large.44444444.js"])
        #expect(plan.deleted.map(\.description) == ["large.22222222.js"])
    }

    @Test("where nothing else needs a stream, what was renamed is copied")
    func renamedAlone() async throws {
        let small = Noise.text(2, 500)
        let plan = try await Self.plan(["a.11111111.js": small], ["a.33333333.js": small])
        #expect(plan.coded.isEmpty)
        #expect(plan.copies.count == 1)
    }

    @Test("one old file of which two copies are made is coded along once and copied once")
    func twice() async throws {
        let small = Noise.text(2, 500)
        let plan = try await Self.plan(
            ["a.js": small, "m.js": Array("one".utf8)],
            ["b.js": small, "c.js": small, "m.js": Array("two".utf8)])
        #expect(Self.bases(plan) == ["b.js": "a.js", "m.js": "m.js"])
        #expect(plan.copies.map(\.new.path.description) == ["c.js"])
        #expect(plan.deleted.isEmpty)
    }
}

extension Noise {
    /// Text that nothing else resembles.
    fileprivate static func text(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var noise = Noise(seed: seed)
        return (0..<count).map { _ in UInt8(0x61 + noise.next() % 26) }
    }
}
