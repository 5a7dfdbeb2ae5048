import PackDeltaFile
import TestSupport
import Testing

@testable import PackDelta

// @testable: the text of a stream is internal to the codec.

/// The numbers of source maps, and their memory.
@Suite struct SourceMapNamesTests {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func field(_ value: Int) -> [UInt8] {
        var rest = value < 0 ? -value << 1 | 1 : value << 1
        var result: [UInt8] = []
        repeat {
            result.append(digits[rest & 31 | (rest > 31 ? 32 : 0)])
            rest >>= 5
        } while rest > 0
        return result
    }

    /// A map whose segments have these name indices.
    private static func map(_ numbers: [Int]) -> [UInt8] {
        var text = Array("{\"version\":3,\"mappings\":\"".utf8)
        var last = 0
        for number in numbers {
            text += Array("AAAA".utf8) + field(number - last) + Array(",".utf8)
            last = number
        }
        return text + Array("\"}".utf8)
    }

    private static func encode(
        _ before: [UInt8], _ after: [UInt8]
    ) throws -> (stream: DeltaEncoder.Stream, old: [DeltaListing.OldFile]) {
        let path = Array("a.js.map".utf8)
        let old = [DeltaListing.OldFile(path: path, size: before.count)]
        let listing = DeltaListing(
            dictionary: [.init(file: 0, offset: 0, length: before.count)],
            files: [
                .init(
                    path: path, size: after.count, base: 0, keepsBase: false, isContinued: false)
            ])
        let stream = try DeltaEncoder(old: old, listings: [listing], fallback: .liblzma()).encode(
            at: 0, content: after, novelBytes: 8, codedLimit: 1 << 16
        ) { _, buffer in buffer.fill(before[...]) }
        return (stream, old)
    }

    private static func decode(
        _ made: (stream: DeltaEncoder.Stream, old: [DeltaListing.OldFile]),
        _ before: [UInt8], memory: Int
    ) throws -> [UInt8] {
        let limits = DeltaLimits()
        var state = ListingState(limits)
        let header = try DeltaStreamHeader(
            made.stream.bytes, old: made.old, limits: limits, state: &state)
        let stream = try DeltaStream(
            header, made.stream.bytes, names: DeltaNames([header.listing], old: made.old), at: 0,
            limits: limits, memory: memory)
        var content: [UInt8] = []
        try stream.decode { _, buffer in
            buffer.fill(before[...])
        } emit: { _, bytes in
            bytes.withUnsafeBytes { content += $0 }
        }
        return content
    }

    /// Regression: a map of 300 bytes with the entry 2^24 - 2 used 64 MiB of unaccounted memory.
    @Test(
        "numbers are kept by how many there are",
        arguments: [
            (0..<300).map { $0 % 40 }, (0..<300).map { $0 * 50_000 },
            (0..<300).map { ($0 * 7919 % 300) * 55_000 }, [(1 << 24) - 2, 3, (1 << 24) - 2, 3, 9],
        ])
    func regressionNumbersFarApart(numbers: [Int]) throws {
        let before = Self.map(numbers)
        let after = Self.map([1] + numbers.map { $0 == 0 ? 0 : $0 + 1 })
        let made = try Self.encode(before, after)
        #expect(made.stream.codedBytes != nil)
        #expect(try Self.decode(made, before, memory: made.stream.memory) == after)
        #expect(throws: DeltaCodecError.tooLarge) {
            try Self.decode(made, before, memory: made.stream.memory - 1)
        }
    }

    /// Regression: the tables of a map with a million fields were not accounted for.
    @Test func regressionManyFields() throws {
        let count = SourceMapNames.freeFields + 1000
        let before = Self.map((0..<count).map { $0 % 7 })
        let made = try Self.encode(before, before + [0x0A])
        let limits = DeltaLimits()
        var state = ListingState(limits)
        let header = try DeltaStreamHeader(
            made.stream.bytes, old: made.old, limits: limits, state: &state)
        let names = DeltaNames([header.listing], old: made.old)
        #expect(made.stream.memory == header.memory(names: names.bytes) + 16_000)
        #expect(try Self.decode(made, before, memory: made.stream.memory) == before + [0x0A])
        #expect(throws: DeltaCodecError.tooLarge) {
            try Self.decode(made, before, memory: made.stream.memory - 1)
        }
    }
}
