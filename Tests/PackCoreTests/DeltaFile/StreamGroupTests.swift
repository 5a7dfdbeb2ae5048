import PackDelta
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackRelease
import TestSupport
import Testing

/// The assignment of a delta's files to streams.
struct StreamGroupTests {
    private static let mebibyte: UInt64 = 1 << 20

    /// A file identified by a seed instead of its content, which the plan does not read.
    private func asset(_ path: String, _ mebibytes: UInt64, _ seed: String) throws -> Asset {
        Asset(
            path: try AssetPath(path), size: mebibytes * Self.mebibyte,
            sha256: StreamHasher.digest(of: Array(seed.utf8)))
    }

    private func text(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = Noise(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0x20..<0x7F, using: &random) }
    }

    private func split(_ old: [Asset], _ new: [Asset]) throws -> [StreamGroup] {
        let plan = try DeltaPlan(
            from: Release(assets: old), to: Release(assets: new),
            readOld: { DeltaWorkshop.give([1], to: $1) },
            readNew: { DeltaWorkshop.give([2], to: $1) }, shrinks: { _ in true })
        return StreamGroup.split(plan)
    }

    @Test("a stream is full when its bases are")
    func basesFillAStream() throws {
        let old = try (0..<6).map { try asset("\($0).js", 30, "old \($0)") }
        let new = try (0..<6).map { try asset("\($0).js", 1, "new \($0)") }
        let groups = try split(old, new)
        #expect(groups.map(\.pieces.count) == [4, 2])
        #expect(groups.map { $0.listing.dictionary.map(\.file) } == [[0, 1, 2, 3], [4, 5]])
    }

    /// Regression: the bases were summed again for every file.
    ///
    /// With incremental counting, a base shared by several files must still count once.
    @Test func regressionABaseOfManyFilesCountsOnce() throws {
        let old = [try asset("app-11111111.js", 30, "old")]
        let new = try (0..<10).map { try asset("app-2222222\($0).js", 1, "new \($0)") }
        let groups = try split(old, new)
        #expect(groups.map(\.pieces.count) == [10])
        #expect(groups.first?.listing.files.map(\.base) == Array(repeating: 0, count: 10))
        #expect(groups.first?.listing.dictionarySize == 30 << 20)
    }

    @Test("a file above the limit goes on in the next stream, each piece with its part of the base")
    func continuedFiles() throws {
        let old = try [asset("a.js", 1, "a"), asset("big.js", 50, "old"), asset("z.js", 1, "z")]
        let new = try [asset("a.js", 1, "b"), asset("big.js", 40, "new"), asset("z.js", 1, "y")]
        let groups = try split(old, new)
        let listings = groups.map(\.listing)
        let continued = listings.map { $0.files.map(\.isContinued) }
        #expect(continued == [[false], [false], [true], [true, false]])
        let pieces = groups.map {
            $0.pieces.map { "\($0.asset.path) \($0.offset >> 20)+\($0.length >> 20)" }
        }
        let last = ["big.js 32+8", "z.js 0+1"]
        #expect(pieces == [["a.js 0+1"], ["big.js 0+16"], ["big.js 16+16"], last])
        let segments = listings.map {
            $0.dictionary.map { "\($0.file) \($0.offset >> 20)+\($0.length >> 20)" }
        }
        #expect(segments == [["0 0+1"], ["1 0+17"], ["1 15+18"], ["1 31+10", "2 0+1"]])
    }

    @Test("streams are of about the same size: the largest says how much memory a client needs")
    func evenStreams() throws {
        let old = try (10..<30).map { try asset("\($0).js", 1, "old \($0)") }
        let new = try (10..<30).map { try asset("\($0).js", 1, "new \($0)") }
        #expect(try split(old, new).map(\.pieces.count) == [10, 10])
        let few = try split(Array(old[..<16]), Array(new[..<16]))
        #expect(few.map(\.pieces.count) == [16])
    }

    /// Regression: a dictionary of all changed or deleted files displaced useful ones from the
    /// tables of positions; if they exceeded 40 MiB, a release had no dictionary at all.
    @Test(
        "a dictionary holds the bases and what shares much with the files, nothing else that went")
    func relatives() throws {
        let moved = text(1, 20_000)
        let page = text(2, 20_000)
        let font = text(3, 70_000)
        let old = [
            "a-11111111.js": page, "b-11111111.js": moved, "c-11111111.js": text(4, 20_000),
            "font-11111111.woff2": font,
        ]
        let new = [
            "a-22222222.js": page + moved, "d-22222222.js": text(5, 20_000) + [1],
            "font-22222222.woff2": font,
        ]
        let releases = try [old, new].map { files in
            Release(
                assets: try files.map { path, content in
                    Asset(
                        path: try AssetPath(path), size: UInt64(content.count),
                        sha256: StreamHasher.digest(of: content))
                })
        }
        let plan = try DeltaPlan(
            from: releases[0], to: releases[1],
            readOld: { DeltaWorkshop.give(old[$0.path.description] ?? [], to: $1) },
            readNew: { DeltaWorkshop.give(new[$0.path.description] ?? [], to: $1) },
            shrinks: { _ in true })
        let groups = StreamGroup.split(plan)
        let names = groups.map {
            $0.listing.dictionary.map { plan.old.assets[$0.file].path.description }
        }
        #expect(names == [["a-11111111.js", "b-11111111.js"]])
    }

    @Test("source maps have streams of their own")
    func sourceMaps() throws {
        let old = try [asset("a.js", 1, "a"), asset("a.js.map", 2, "m"), asset("b.js", 1, "b")]
        let new = try [asset("a.js", 1, "A"), asset("a.js.map", 2, "M"), asset("b.js", 1, "B")]
        let groups = try split(old, new)
        #expect(
            groups.map { $0.pieces.map(\.asset.path.description) }
                == [["a.js", "b.js"], ["a.js.map"]])
        #expect(groups.map { $0.listing.dictionary.map(\.file) } == [[0, 2], [1]])
    }
}

/// The division of the limit of bytes coded one by one among streams.
@Suite struct CodingBudgetTests {
    @Test func sharesFollowTheExpectation() {
        #expect(CodingBudget(limit: 1000, expecting: []).shares == [])
        #expect(CodingBudget(limit: 1000, expecting: [0, 0]).shares == [0, 0])
        #expect(CodingBudget(limit: 1000, expecting: [100, 300]).shares == [250, 750])
        #expect(CodingBudget(limit: 1000, expecting: [800]).shares == [1000])
    }

    @Test func aboveTheLimitThereAreNone() {
        #expect(CodingBudget(limit: 1000, expecting: [500, 301]).shares == nil)
        #expect(CodingBudget(limit: 0, expecting: [1]).shares == nil)
    }

    @Test("shares together never exceed the limit")
    func sharesFit() throws {
        var noise = Noise(seed: 41)
        for _ in 0..<200 {
            let expected = (0..<8).map { _ in Int(noise.next() % 700_000) }
            let shares = try #require(CodingBudget(limit: 7_000_003, expecting: expected).shares)
            #expect(shares.reduce(0, +) <= 7_000_003)
            for (share, least) in zip(shares, expected) { #expect(share >= least) }
        }
    }
}
