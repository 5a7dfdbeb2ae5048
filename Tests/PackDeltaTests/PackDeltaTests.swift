import PackDelta
import Testing

/// The codec as an app sees it: what is public, and nothing else.
@Suite struct PackDeltaTests {
    static let before = text(hash: "0a1b2c3d", extra: "")
    static let after = text(hash: "9f8e7d6c", extra: "export const fresh = 42\n")
    static let old = [
        DeltaListing.OldFile(path: Array("app.0a1b2c3d.js".utf8), size: before.count)
    ]
    static let listing = DeltaListing(
        dictionary: [.init(file: 0, offset: 0, length: before.count)],
        files: [.init(path: Array("app.9f8e7d6c.js".utf8), size: after.count, base: 0)])

    private static func text(hash: String, extra: String) -> [UInt8] {
        let lines = (0..<40).map {
            "export function f\($0)(a){return import('./c\($0).\(hash).js')}"
        }
        return Array((lines.joined(separator: "\n") + "\n" + extra).utf8)
    }

    private static func fill(_ buffer: inout MutableRawSpan, _ bytes: ArraySlice<UInt8>) {
        for (offset, byte) in bytes.enumerated() {
            buffer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }

    static func encode(codedLimit: Int = 1 << 16) throws -> DeltaEncoder.Stream {
        try DeltaEncoder(old: old, listings: [listing]).encode(
            at: 0, content: after, codedLimit: codedLimit
        ) { segment, buffer in
            fill(&buffer, before[segment.offset..<(segment.offset + segment.length)])
        }
    }

    static func decode(
        _ stream: [UInt8], limits: DeltaLimits = DeltaLimits(), memory: Int = .max
    ) throws -> [UInt8] {
        var headers = DeltaHeaders(old: old, limits: limits)
        try headers.read(stream)
        var result: [UInt8] = []
        try DeltaDecoder(headers).decode(stream, at: 0, memory: memory) { segment, buffer in
            fill(&buffer, before[segment.offset..<(segment.offset + segment.length)])
        } emit: { file, bytes in
            #expect(file.path == listing.files[0].path)
            bytes.withUnsafeBytes { result += $0 }
        }
        return result
    }

    @Test func aStreamDecodesToWhatWasEncoded() throws {
        let stream = try Self.encode()
        #expect(stream.bytes.count < Self.after.count / 8)
        #expect(try #require(stream.codedBytes) > 0)
        #expect(try Self.decode(stream.bytes, memory: stream.memory) == Self.after)
    }

    @Test func theWorkIsKnownWithoutDecoding() throws {
        let stream = try Self.encode()
        let work = stream.work
        #expect(work.coded == stream.codedBytes)
        #expect(work.coded + work.copied == Self.after.count)
        #expect(work.unpacked == 0)
        var headers = DeltaHeaders(old: Self.old)
        try headers.read(stream.bytes)
        #expect(try DeltaDecoder(headers).work == work)
        // The number of coded bytes is in one byte here, after three others.
        for change in [-1, 1] {
            var other = stream.bytes
            other[3] = UInt8(Int(other[3]) + change)
            #expect(throws: DeltaCodecError.invalidContent) { try Self.decode(other) }
        }
    }

    @Test func limitsAreKept() throws {
        let stream = try Self.encode()
        var output = DeltaLimits()
        output.output = Self.after.count - 1
        #expect(throws: DeltaCodecError.tooLarge) {
            try Self.decode(stream.bytes, limits: output)
        }
        var work = DeltaLimits()
        work.codedBytes = try #require(stream.codedBytes) - 1
        #expect(throws: DeltaCodecError.tooMuchWork) {
            try Self.decode(stream.bytes, limits: work)
        }
        #expect(throws: DeltaCodecError.tooLarge) {
            try Self.decode(stream.bytes, memory: stream.memory - 1)
        }
    }

    @Test func damageIsRefused() throws {
        let stream = try Self.encode().bytes
        #expect(try Self.decode(stream) == Self.after)
        #expect(throws: DeltaCodecError.invalidHeader) { try Self.decode([]) }
        #expect(throws: DeltaCodecError.invalidHeader) { try Self.decode([7] + stream.dropFirst()) }
        #expect(throws: DeltaCodecError.invalidContent) { try Self.decode(stream + [0]) }
        for count in stream.indices {
            // Some shorter streams decode: only the hashes of a delta file refuse them.
            #expect((try? Self.decode(Array(stream.prefix(count)))) != Self.after)
        }
    }

    @Test func listingsThatCannotBeCodedAreRefused() {
        var gap = Self.listing
        gap.dictionary[0].file = 1
        #expect(throws: DeltaCodecError.invalidListing) {
            try DeltaEncoder(old: Self.old, listings: [gap])
        }
        var long = Self.listing
        long.dictionary[0].length = Self.before.count + 1
        #expect(throws: DeltaCodecError.invalidListing) {
            try DeltaEncoder(old: Self.old, listings: [long])
        }
    }

    @Test func withoutAFallbackTooMuchWorkIsRefused() throws {
        #expect(throws: DeltaCodecError.tooMuchWork) { try Self.encode(codedLimit: 0) }
        #expect(throws: DeltaCodecError.invalidContent) {
            try DeltaEncoder(old: Self.old, listings: [Self.listing])
                .encode(at: 0, content: []) { _, _ in }
        }
    }
}
