import Foundation
import PackGround
import PackRelease
import TestSupport
import Testing

@testable import PackDelta
@testable import PackDeltaFile

// @testable: it writes streams and manifests that no encoder makes.

/// A delta is rejected, or gives exactly the release it names.
@Suite struct DeltaSafetyTests {
    private static func files(_ shift: Int) -> [String: [UInt8]] {
        var random = Noise(seed: 77)
        let text = MinifiedText.bundle(
            &random, functions: 60, shift: shift, names: ["c.\(shift)abcdef0.js"])
        return [
            "main.\(shift)abcdef0.js": Array(text.utf8), "index.html": Array("<p>\(shift)".utf8),
            "kept.txt": Array("kept".utf8),
        ]
    }

    @Test func anotherBaseOfEqualSize() async throws {
        let workshop = try DeltaWorkshop()
        let old = try await workshop.tree(Self.files(1), "old")
        let new = try await workshop.tree(Self.files(2), "new")
        try await workshop.make(old, new)
        var other = Self.files(1)
        other["kept.txt"] = Array("keqt".utf8)
        let wrong = try await workshop.tree(other, "wrong")
        await #expect(
            throws: Failure.deltaWrongBase(
                delta: workshop.playground.path + "/making/delta.zip",
                needs: old.release.version.description, found: wrong.release.version.description)
        ) { try await workshop.apply(wrong) }
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: workshop.playground.path + "/applied"
            ).isEmpty)
    }

    /// Copied files are hashed while copying.
    @Test(
        "a base that changes after it was checked is found out",
        arguments: ["keqt", "kep", "kept."])
    func changedBase(content: String) async throws {
        let workshop = try DeltaWorkshop()
        let old = try await workshop.tree(Self.files(1), "old")
        let new = try await workshop.tree(Self.files(2), "new")
        try await workshop.make(old, new)
        try workshop.playground.write("old/kept.txt", Array(content.utf8))
        let path = workshop.playground.path + "/old/kept.txt"
        await #expect(throws: Failure.buildChangedWhileRead(path: path)) {
            try await workshop.apply(old)
        }
    }

    /// Regression: a damaged delta with forbidden names was reported as a build with such names, to
    /// be renamed in a temporary directory of the apply.
    @Test(
        "a name that no release may have is the delta's fault",
        arguments: ["a:b.js", "INDEX.html", ".DS_Store", ".git/a.js"])
    func regressionRefusedNamesBlamedTheBuild(name: String) async throws {
        let workshop = try DeltaWorkshop()
        let old = try await workshop.tree(["index.html": [1], "kept.txt": [2]], "old")
        let manifest = DeltaManifest(
            from: old.release.version, fromHash: old.release.packageHash, to: old.release.version,
            toHash: old.release.packageHash, delete: [],
            copy: [(try AssetPath(name), try AssetPath("kept.txt"))], add: [], patch: [])
        let outputs = try DeltaOutputs(
            manifest, base: old.release, listings: [], delta: "d.zip")
        let error = try #require(throws: Failure.self) {
            try outputs.checkNames(delta: "d.zip")
        }
        guard !name.hasPrefix(".") else {
            return #expect(error == .deltaUnexpectedMember(delta: "d.zip", name: name))
        }
        #expect(error.code == .deltaInvalidManifest)
    }

    /// Every byte of a stream, changed in three ways, with correct checksums in the zip.
    @Test func everyByteOfAStream() throws {
        let made = try StreamSample.make()
        var refused = 0
        var harmless = 0
        for index in made.bytes.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var bytes = made.bytes
                bytes[index] ^= change
                if let result = made.decode(bytes) {
                    // Decoded content must not be accepted as the release.
                    if result == made.content { harmless += 1 }
                } else {
                    refused += 1
                }
            }
        }
        // A changed limit or table size can leave the content intact, but only within the header's
        // bytes.
        #expect(harmless <= 12)
        #expect(refused > made.bytes.count / 10)
    }

    @Test func everyTruncation() throws {
        let made = try StreamSample.make()
        for count in 0..<made.bytes.count {
            #expect(made.decode(Array(made.bytes.prefix(count))) != made.content)
        }
        #expect(made.decode(made.bytes + [0]) == nil)
        for byte in UInt8.min...UInt8.max { #expect(made.decode(made.bytes + [byte]) == nil) }
        #expect(made.decode(made.bytes + [0, 1]) == nil)
        #expect(made.decode(made.bytes) == made.content)
    }

    /// Random bytes as streams: no trap, and no more memory than allowed.
    @Test func noise() throws {
        let made = try StreamSample.make()
        var random = Noise(seed: 5)
        for _ in 0..<1000 {
            var bytes = made.bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            if let result = made.decode(bytes), result == made.content { #expect(bytes.count > 0) }
        }
    }

    @Test func aBombIsRefusedBeforeItTakesMemory() throws {
        let old = [DeltaListing.OldFile(path: Array("a".utf8), size: 10)]
        let listing = DeltaListing(
            dictionary: [],
            files: [
                .init(
                    path: Array("bomb".utf8), size: 1 << 30, base: nil, keepsBase: false,
                    isContinued: false)
            ])
        var generous = DeltaLimits()
        generous.output = .max
        let encoded = try listing.encode(old: old, limits: generous).bytes
        let bytes =
            HeaderWriter.bytes(
                .aligned(AlignedParameters()), hasCopies: false, listingLength: encoded.count)
            + encoded
        #expect(throws: DeltaCodecError.tooLarge) { try DeltaStream(bytes, old: old) }
    }

    @Test func tablesAreBounded() throws {
        let made = try StreamSample.make()
        var bytes = made.bytes
        bytes[1] = 15
        bytes[2] = 20
        var limits = DeltaLimits()
        limits.memory = 12 << 20
        #expect(throws: DeltaCodecError.tooLarge) {
            try DeltaStream(bytes, old: made.old, limits: limits)
        }
    }
}

/// A small stream with its inputs.
struct StreamSample {
    let old: [DeltaListing.OldFile]
    let oldContent: [UInt8]
    let content: [UInt8]
    let bytes: [UInt8]

    static func make() throws -> StreamSample {
        var random = Noise(seed: 12)
        let before = Array(
            MinifiedText.bundle(&random, functions: 12, shift: 0, names: ["c.aaaaaaaa.js"]).utf8)
        random = Noise(seed: 12)
        let after = Array(
            (MinifiedText.bundle(&random, functions: 12, shift: 3, names: ["c.bbbbbbbb.js"])
                + "function fresh(){return 42}").utf8)
        let old = [
            DeltaListing.OldFile(path: Array("m.aaaaaaaa.js".utf8), size: before.count)
        ]
        let listing = DeltaListing(
            dictionary: [.init(file: 0, offset: 0, length: before.count)],
            files: [
                .init(
                    path: Array("m.bbbbbbbb.js".utf8), size: after.count, base: 0,
                    keepsBase: false, isContinued: false)
            ])
        let stream = try DeltaEncoder(old: old, listings: [listing]).encode(
            at: 0, content: after, novelBytes: 100, codedLimit: 1 << 20
        ) { _, buffer in buffer.fill(before[...]) }
        return StreamSample(old: old, oldContent: before, content: after, bytes: stream.bytes)
    }

    /// Decodes a stream; `nil` if it is rejected.
    func decode(_ bytes: [UInt8]) -> [UInt8]? {
        // Small, so that thousands of attempts are fast; the decoder allocates the declared memory.
        var limits = DeltaLimits()
        limits.memory = 8 << 20
        limits.output = 1 << 16
        guard let stream = try? DeltaStream(bytes, old: old, limits: limits) else { return nil }
        var result: [UInt8] = []
        do {
            try stream.decode { segment, buffer in
                buffer.fill(oldContent[segment.offset..<(segment.offset + segment.length)])
            } emit: { file, bytes in
                guard file.path == Array("m.bbbbbbbb.js".utf8) else { return }
                bytes.withUnsafeBytes { result += $0 }
            }
        } catch {
            return nil
        }
        return result
    }
}

extension MutableRawSpan {
    /// Copies bytes to the start.
    mutating func fill(_ bytes: ArraySlice<UInt8>) {
        for (offset, byte) in bytes.enumerated() {
            storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }
}
