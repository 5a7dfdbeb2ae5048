import PackDelta
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackRelease
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

    /// Regression: text shared by many small files was assigned to the first of them, so all were
    /// coded against it, and their old names had to be listed as deleted.
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

    /// Regression: all were copied from the first of them, and their old names had to be listed as
    /// deleted.
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
        #expect(plan.deleted.isEmpty && Self.bases(plan) == ["main.js": "main.js"])
        #expect(plan.copies.count == 12)
        for copy in plan.copies {
            let (path, base) = (copy.new.path.description, copy.old.path.description)
            #expect(path.split(separator: "-").dropLast() == base.split(separator: "-").dropLast())
        }
    }

    @Test("what was only renamed is copied by the listing of a stream that is needed anyway")
    func renamed() async throws {
        let text = Noise.text(2, 500)
        let old = ["a.11111111.js": text, "main.js": Array("one".utf8)]
        let new = [
            "a.33333333.js": text, "b/a.js": text, "main.js": Array("two".utf8),
        ]
        let plan = try await Self.plan(old, new)
        #expect(plan.listsCopies && plan.deleted.isEmpty)
        #expect(Self.bases(plan) == ["main.js": "main.js"])
        let groups = StreamGroup.split(plan)
        #expect(groups.count == 1)
        #expect(
            groups.first?.listing.copies == [
                .init(path: Array("a.33333333.js".utf8), base: 0, keepsBase: false),
                .init(path: Array("b/a.js".utf8), base: 0, keepsBase: false),
            ])
    }

    @Test("a file of which there is a copy stays where the new release has its path")
    func staying() async throws {
        let text = Noise.text(2, 500)
        let plan = try await Self.plan(
            ["a.js": text, "main.js": Array("one".utf8)],
            ["a.js": Array("other".utf8), "b.js": text, "main.js": Array("two".utf8)])
        #expect(plan.deleted.isEmpty)
        #expect(
            StreamGroup.split(plan).first?.listing.copies == [
                .init(path: Array("b.js".utf8), base: 0, keepsBase: true)
            ])
    }

    @Test("where nothing else needs a stream, few copies make none", arguments: [5, 6])
    func renamedAlone(count: Int) async throws {
        let texts = (0..<count).map { Noise.text(UInt64($0), 500) }
        func tree(_ hash: String) -> [String: [UInt8]] {
            Dictionary(
                uniqueKeysWithValues: texts.enumerated().map { ("a\($0).\(hash).js", $1) })
        }
        let plan = try await Self.plan(tree("11111111"), tree("33333333"))
        #expect(plan.coded.isEmpty && plan.copies.count == count)
        #expect(plan.listsCopies == (count == 6))
        #expect(plan.deleted.count == (count == 6 ? 0 : 5))
        #expect(StreamGroup.split(plan).map(\.listing.copies.count) == (count == 6 ? [6] : []))
    }
}

extension Noise {
    /// Text unlike any other.
    fileprivate static func text(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var noise = Noise(seed: seed)
        return (0..<count).map { _ in UInt8(0x61 + noise.next() % 26) }
    }
}
