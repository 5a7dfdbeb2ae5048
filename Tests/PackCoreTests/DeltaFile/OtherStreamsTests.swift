import PackDeltaFile
import PackGround
import PackRelease
import TestSupport
import Testing

@testable import PackDelta

// @testable: it reads one stream without the others of its delta.

/// Files in one stream that name files in another.
@Suite struct OtherStreamsTests {
    private let old = [
        DeltaListing.OldFile(path: Array("app.js".utf8), size: Self.script("0f1e2d3c").count),
        DeltaListing.OldFile(path: Array("chunk.0f1e2d3c.js".utf8), size: 5),
    ]

    private static func script(_ hash: String) -> [UInt8] {
        Array("function load(){return import(\"./chunk.\(hash).js\").then(run)}\n".utf8)
    }

    private let script = DeltaListing(
        dictionary: [.init(file: 0, offset: 0, length: Self.script("0f1e2d3c").count)],
        files: [
            .init(
                path: Array("app.js".utf8), size: Self.script("a9b8c7d6").count, base: 0,
                keepsBase: false, isContinued: false)
        ])

    /// The listing of the renamed chunk, as seen by a decoder.
    private func chunk() throws -> DeltaListing {
        try DeltaListing(
            dictionary: [.init(file: 1, offset: 0, length: 5)],
            files: [
                .init(
                    path: Array("chunk.a9b8c7d6.js".utf8), size: 5, base: 1, keepsBase: false,
                    isContinued: false)
            ]
        ).encode(old: old, limits: DeltaLimits()).listing
    }

    private func encode(_ others: [DeltaListing]) throws -> DeltaEncoder.Stream {
        try DeltaEncoder(old: old, listings: [script] + others).encode(
            at: 0, content: Self.script("a9b8c7d6"), novelBytes: 8, codedLimit: 1 << 16
        ) { _, buffer in buffer.fill(Self.script("0f1e2d3c")[...]) }
    }

    @Test func aNewNameOfAnotherStreamIsKnown() throws {
        let alone = try encode([])
        let beside = try encode([try chunk()])
        #expect(try #require(alone.codedBytes) >= 8)
        #expect(beside.codedBytes == 0)
        #expect(beside.bytes.count + 8 <= alone.bytes.count)
        #expect(beside.memory > 0)

        let stream = try DeltaStream(beside.bytes, old: old, others: [try chunk()])
        var made: [UInt8] = []
        try stream.decode { _, buffer in
            buffer.fill(Self.script("0f1e2d3c")[...])
        } emit: { _, bytes in
            bytes.withUnsafeBytes { made += $0 }
        }
        #expect(made == Self.script("a9b8c7d6"))
    }

    @Test func namesThatDoNotFitAreRefused() throws {
        let bytes = try encode([]).bytes
        var limits = DeltaLimits()
        limits.memory = 8 << 20
        let file = DeltaListing.NewFile(
            path: Array(repeating: 0x61, count: 1024), size: 0, base: nil, keepsBase: false,
            isContinued: false)
        let many = DeltaListing(
            dictionary: [], files: Array(repeating: file, count: (8 << 20) / 1025 + 1))
        #expect(throws: DeltaCodecError.tooLarge) {
            try DeltaStream(bytes, old: old, others: [many], limits: limits)
        }
    }

    /// Twelve scripts that name their maps, and renamed ones.
    private static func builds() -> (old: [String: [UInt8]], new: [String: [UInt8]]) {
        var before: [String: [UInt8]] = [:]
        var after: [String: [UInt8]] = [:]
        for index in 0..<12 {
            let text = "export function f\(index)(value){return value+\(index)}\n"
            for (tree, hash) in [(0, 0x1234_0000 + index * 7919), (1, 0x5678_9000 + index * 7919)] {
                let map = "m\(index).\(String(hash, radix: 16)).js.map"
                let files = [
                    "m\(index).js": text + "//# sourceMappingURL=\(map)\n",
                    map: """
                    {"version":3,"file":"m\(index).js","sources":["\(index).ts"],\
                    "names":["value"],"mappings":"AAAA,SAASA,EAAEC,CAAC","build":\(tree)}
                    """,
                ].mapValues { Array($0.utf8) }
                if tree == 0 { before.merge(files) { $1 } } else { after.merge(files) { $1 } }
            }
        }
        return (before, after)
    }

    /// Maps have their own stream; the scripts' stream uses the new names from its listing.
    @Test func scriptsAndTheirMaps() async throws {
        let (before, after) = Self.builds()
        let workshop = try DeltaWorkshop()
        try await workshop.roundTrip(before, after)
        let parts = try DeltaExplanation(
            of: "delta.zip", in: Directory.open(workshop.playground.path + "/making"), base: nil
        ).members
        // Including the listing: none of the twelve new names is coded byte by byte.
        #expect(try #require(parts.first { $0.name == "patches/0" }).size < 24)
        #expect(parts.contains { $0.name == "patches/1" })
    }

    /// The text of every stream contains the names of all: their number is limited for the whole
    /// delta.
    @Test func tooManyFilesInAllStreamsAreRefused() async throws {
        let (before, after) = Self.builds()
        let workshop = try DeltaWorkshop()
        try await workshop.roundTrip(before, after)
        let base = try await workshop.tree(before, "old")
        var limits = DeltaLimits()
        limits.files = 23
        await expectFailure(of: "delta") { try await workshop.apply(base, limits: limits) }
        limits.files = 24
        #expect(try await workshop.apply(base, limits: limits).assets.count == 24)
    }
}
