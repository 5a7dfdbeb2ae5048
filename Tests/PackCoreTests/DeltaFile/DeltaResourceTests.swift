import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

@testable import PackDelta
@testable import PackDeltaFile
@testable import PackDeltaMaking

// @testable: it writes streams that no encoder makes, and reads the memory use of a plan.

/// A delta's resource use is counted while reading it: a few bytes can request a large amount.
@Suite struct DeltaResourceTests {
    private static let old = [DeltaListing.OldFile(path: Array("a.txt".utf8), size: 6)]

    private static func stream(_ listing: [UInt8]) -> [UInt8] {
        var parameters = AlignedParameters()
        parameters.codedBytes = 0
        return HeaderWriter.bytes(
            .aligned(parameters), hasCopies: false, listingLength: listing.count) + listing
    }

    private static func files(_ count: Int, _ length: Int) throws -> [UInt8] {
        let file = DeltaListing.NewFile(
            path: Array(repeating: 0x78, count: length), size: 0, base: nil, keepsBase: false,
            isContinued: false)
        var generous = DeltaLimits()
        generous.totalMemory = .max
        return stream(
            try DeltaListing(dictionary: [], files: Array(repeating: file, count: count))
                .encode(old: [], limits: generous).bytes)
    }

    /// Regression: 200,000 empty pieces of one file, in a listing of ten bytes, took seconds and
    /// gigabytes.
    @Test func regressionAFileTwiceInTheDictionary() throws {
        var coder = NumberCoder(coder: BitEncoder())
        _ = coder.number(2, kind: .segments)
        for gap in [1, 0] as [UInt64] {
            _ = coder.number(gap, kind: .gap)
            _ = coder.flag(false, kind: .isWhole)
            _ = coder.number(0, kind: .offset)
            _ = coder.number(0, kind: .length)
        }
        _ = coder.number(0, kind: .files)
        let twice = Self.stream(coder.finish())
        #expect(throws: DeltaCodecError.invalidListing) {
            try DeltaStream(twice, old: Self.old + Self.old)
        }
        #expect(throws: DeltaCodecError.invalidListing) { try DeltaStream(twice, old: Self.old) }
    }

    /// Regression: limits were only checked after all listings were decoded.
    @Test func regressionListingsAreCountedTogether() throws {
        let bytes = try Self.files(1000, 100)
        #expect(bytes.count < 1000)
        var state = ListingState(DeltaLimits(), memory: 500_000)
        let read = {
            try DeltaStreamHeader(bytes, old: [], limits: DeltaLimits(), state: &state)
        }
        #expect(try read().listing.files.count == 1000)
        #expect(state.memory == 500_000 - 1000 * (ListingState.memoryOfFile + 100))
        #expect(throws: DeltaCodecError.tooLarge) { try read() }

        var limits = DeltaLimits()
        limits.files = 1500
        state = ListingState(limits)
        #expect(try read().listing.files.count == 1000)
        #expect(throws: DeltaCodecError.tooLarge) { try read() }
    }

    /// Regression: the text of each stream contains the names of all streams, so the work was
    /// quadratic.
    @Test func regressionNamesOfManyStreams() throws {
        let bytes = try Self.files(20, 120)
        var state = ListingState(DeltaLimits())
        let header = try DeltaStreamHeader(bytes, old: [], limits: DeltaLimits(), state: &state)
        let work = { (streams: Int) -> Int in
            let all = Array(repeating: header, count: streams)
            let names = DeltaNames(all.map(\.listing), old: [])
            return all.reduce(0) { $0 + $1.work(names) }
        }
        #expect(work(20) < DeltaLimits().work(0))
        #expect(work(1600) > DeltaLimits().work(0))
    }

    @Test func onlyASmallTreeNeedsNoStatementOfItsOwn() async throws {
        let workshop = try DeltaWorkshop()
        let small = try await workshop.make(
            workshop.tree(["a.js": Array("one".utf8)], "old"),
            workshop.tree(["a.js": Array("another".utf8)], "new"))
        #expect(small.manifest.wholeMemory == nil)

        var files: [String: [UInt8]] = [:]
        for index in 0..<4000 { files["a-directory/file-\(index).js"] = [1] }
        let old = try await workshop.tree(files, "old")
        files["a-directory/file-7.js"] = [2]
        let large = try await workshop.make(old, workshop.tree(files, "new"))
        let whole = try #require(large.manifest.wholeMemory)
        #expect(large.memory == whole)
        #expect(whole > large.manifest.largestStream + 2 * 4000 * 400)
        let written = try DeltaManifest.decode(large.manifest.encode(), path: "delta.json")
        #expect(written == large.manifest)
        #expect(written.memory == large.memory)
        #expect(try await workshop.apply(old).assets.count == 4000)

        var limits = DeltaLimits()
        limits.totalMemory = whole - 1
        await #expect(
            throws: Failure.deltaTooMuchMemory(
                delta: workshop.playground.path + "/making/delta.zip", needs: whole,
                limit: whole - 1)
        ) { try await workshop.apply(old, limits: limits) }
    }

    @Test func streamsAreDecodedAtOnceAsFarAsTheMemoryAllows() {
        #expect(DeltaApplier.mostAtOnce([5, 9, 7], room: 21) == 3)
        #expect(DeltaApplier.mostAtOnce([5, 9, 7], room: 20) == 2)
        #expect(DeltaApplier.mostAtOnce([5, 9, 7], room: 15) == 1)
        #expect(DeltaApplier.mostAtOnce([5, 9, 7], room: 0) == 1)
        #expect(DeltaApplier.mostAtOnce([.max, .max], room: .max) == 2)
        #expect(DeltaApplier.mostAtOnce([], room: 1) == 1)
    }

    @Test func piecesOfAFileAreDecodedInOrder() {
        let listing = { (isContinued: Bool) in
            DeltaListing(
                dictionary: [],
                files: [.init(path: [0x61], size: 1, isContinued: isContinued)])
        }
        #expect(
            DeltaApplier.chains([false, false, true, true, false].map(listing))
                == [0..<1, 1..<4, 4..<5])
        #expect(DeltaApplier.chains([]).isEmpty)
        #expect(DeltaApplier.chains([listing(true)]) == [0..<1])
    }

    /// Regression: the output of a delta was only limited by the disk.
    @Test func regressionMoreThanTheReleaseHas() async throws {
        let workshop = try DeltaWorkshop()
        let old = try await workshop.tree(
            ["a.js": [1], "kept.js": Array(repeating: 2, count: 500)], "old")
        var content = Array("function value(){return 1}".utf8)
        content += (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let new = try await workshop.tree(
            ["b.bin": content, "a.js": [3, 4], "kept.js": Array(repeating: 2, count: 500)], "new")
        try await workshop.make(old, new)
        let size = new.release.totalBytes
        #expect(try await workshop.apply(old, treeLimit: size) == new.release)
        let error = await #expect(throws: Failure.self) {
            try await workshop.apply(old, treeLimit: size - 1)
        }
        #expect(error?.code.name == "delta.too-much-output")
        let written = try FileManager.default.contentsOfDirectory(
            atPath: workshop.playground.path + "/applied")
        #expect(written.isEmpty)
    }

    /// Regression: the memory to read an asset was allocated by the manifest's size.
    @Test func regressionALyingSizeIsNotAllocated() async throws {
        let workshop = try DeltaWorkshop()
        let scan = try await workshop.tree(["a.js": [1]], "old")
        let honest = try #require(scan.release.assets.first)
        let lie = Asset(path: honest.path, size: 1_000_000_000_000_000, sha256: honest.sha256)
        let source = AssetSource(tree: scan.directory, release: Release(assets: [lie]))
        let error = Failure.buildChangedWhileRead(path: workshop.playground.path + "/old/a.js")
        #expect(throws: error) {
            try source.read(lie, through: .forReading()) { _ in Issue.record("nothing is read") }
        }
        let new = try await workshop.tree(["a.js": [2]], "new")
        let directory = try Directory.open(workshop.playground.path)
        try directory.makeDirectory("making")
        await #expect(throws: error) {
            try await DeltaBuilder(from: source, to: DeltaWorkshop.source(new), jobs: 1)
                .buildProved("d.zip", in: directory.directory("making"))
        }
    }

    /// Regression: a file was kept in memory for each of its pieces.
    @Test func regressionALargeFileIsHashedInPieces() throws {
        let size = StreamGroup.outputLimit + 1000
        let content = [UInt8](repeating: 0x61, count: size)
        let asset = Asset(
            path: try AssetPath("large.bin"), size: UInt64(size),
            sha256: StreamHasher.digest(of: content))
        let plan = try DeltaPlan(
            from: Release(assets: []), to: Release(assets: [asset]), readOld: { _, _ in },
            readNew: { $1(content.span.bytes) }, shrinks: { _ in true })
        let pieces = StreamGroup.split(plan).flatMap(\.pieces)
        #expect(pieces.map(\.length) == [StreamGroup.outputLimit, 1000])
        #expect(
            pieces.map(\.sha256)
                == pieces.map {
                    StreamHasher.digest(of: Array(content[$0.offset..<($0.offset + $0.length)]))
                })
    }

    @Test func samplesAreRarerWhereThereIsMuch() {
        var random = Noise(seed: 3)
        let text = (0..<200_000).map { _ in UInt8.random(in: 0x20..<0x7F, using: &random) }
        let count = { (total: UInt64) -> Int in
            var walk = ContentSample(of: total).walk()
            var samples = 0
            walk.forEach(in: text.span.bytes) { _ in samples += 1 }
            return samples
        }
        #expect(count(0) == count(256 << 20))
        #expect((2600...3600).contains(count(0)))
        #expect((150...240).contains(count(4 << 30)))
    }

    // MARK: - delta.json

    private static let manifest = """
        {"schema": 1, "from": "\(digits.prefix(20))", "fromHash": "\(digits)", "to": \
        "\(digits.prefix(20))", "toHash": "\(digits)", "codec": "aligned/1", "delete": ["x"], \
        "copy": {"a": "b"}, "add": ["c"], "patch": [{"stream": "patches/0", "memory": 5}]%}
        """
    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    private static func decode(_ more: String, _ old: String = "", _ new: String = "") throws
        -> DeltaManifest
    {
        var text = manifest.replacingOccurrences(of: "%", with: more)
        if !old.isEmpty { text = text.replacingOccurrences(of: old, with: new) }
        return try DeltaManifest.decode(Array(text.utf8), path: "delta.json")
    }

    @Test func manifestsAreReadElementByElement() throws {
        let plain = try Self.decode("")
        #expect(plain.delete == [try AssetPath("x")])
        #expect(plain.copy.map(\.new) == [try AssetPath("a")])
        #expect(plain.patch == [.init(stream: "patches/0", memory: 5)])
        #expect(plain.memory == 5 + 4 << 20)
        #expect(
            try Self.decode(", \"memory\": 9000000, \"more\": [1, {\"b\": 2}]").memory == 9_000_000)
        for (old, new) in [
            ("{\"a\": \"b\"}", "{\"a\": \"b\", \"a\": \"c\"}"), ("[\"x\"]", "{\"x\": \"y\"}"),
            ("{\"a\": \"b\"}", "[\"a\"]"), ("[\"c\"]", "[1]"), ("[\"c\"]", "\"c\""),
            ("\"add\": [\"c\"],", ""), ("\"copy\": {\"a\": \"b\"},", ""), ("[\"x\"]", "[\"x\",]"),
            ("\"schema\": 1", "\"schema\": 1, \"schema\": 1"), ("\"memory\": 5", "\"memory\": -5"),
            ("patches/0", "patches/1"), ("aligned/1", "aligned/2"),
        ] {
            expectFailure(of: "delta", "\(old) as \(new)") { try Self.decode("", old, new) }
        }
        expectFailure(of: "delta") { try Self.decode(", \"memory\": -1") }
    }

    /// Regression: 64 MiB of brackets in unknown members became a tree of gigabytes.
    @Test func regressionUnknownMembersAreBounded() {
        let brackets = String(repeating: "[],", count: 30_000)
        expectFailure(of: "delta") { try Self.decode(", \"x\": [\(brackets)[]]") }
        let digits = String(repeating: "0", count: 70_000)
        expectFailure(of: "delta") { try Self.decode(", \"x\": 0.\(digits)") }
        expectFailure(of: "delta") {
            try Self.decode((0..<1200).map { ", \"x\($0)\": 0" }.joined())
        }
        expectFailure(of: "delta") {
            try Self.decode("", "[\"x\"]", "[\(String(repeating: "\"x\",", count: 200_000))\"x\"]")
        }
    }
}
