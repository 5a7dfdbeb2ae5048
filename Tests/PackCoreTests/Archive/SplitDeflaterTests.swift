import CArchive
import PackArchive
import TestSupport
import Testing

@Suite("Large content in parts")
struct SplitDeflaterTests {
    /// Compresses in parts; `nil` if the content must be a single piece.
    private func split(_ content: [UInt8], level: Int32, jobs: Int) -> [UInt8]? {
        let (size, bytes) = compress(content, room: content.count) {
            SplitDeflater(level: level, jobs: jobs).compress($0, into: &$1)
        }
        return size.map { Array(bytes.prefix($0)) }
    }

    /// Decodes a stream with libdeflate's own decoder, which is independent of the joining.
    private func inflated(_ stream: [UInt8], size: Int) -> [UInt8]? {
        let decompressor = unsafe libdeflate_alloc_decompressor()
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var content = [UInt8](repeating: 0, count: size + 1)
        var used = 0
        var written = 0
        let status = unsafe libdeflate_deflate_decompress_ex(
            decompressor, stream, stream.count, &content, content.count, &used, &written)
        guard status == LIBDEFLATE_SUCCESS, used == stream.count else { return nil }
        return Array(content.prefix(written))
    }

    private func whole(_ content: [UInt8], level: Int32) throws -> Int {
        let deflater = try Deflater(level: level)
        let result = compress(content, room: content.count) { deflater.compress($0, into: &$1) }
        return try #require(result.size)
    }

    @Test(
        "the parts make one stream, the same for any number of jobs, as small as one piece",
        arguments: [(4, 2), (7, 2), (7, 5), (8, 3), (12, 2)] as [(Int32, Int)])
    func parts(level: Int32, parts: Int) throws {
        var noise = Noise(seed: UInt64(parts))
        let content = noise.text(parts * SplitDeflater.partSize + 12_345)
        #expect(SplitDeflater.parts(of: content.count) == parts)
        let stream = try #require(split(content, level: level, jobs: 1))
        #expect(inflated(stream, size: content.count) == content)
        #expect(split(content, level: level, jobs: 2) == stream)
        #expect(split(content, level: level, jobs: 7) == stream)
        let single = try whole(content, level: level)
        // Text this repetitive shrinks to an eighth and loses a tenth of a percent.
        #expect(stream.count * 1000 < single * 1003)
    }

    @Test("what does not shrink, wholly or from some place on, is left to one piece")
    func incompressible() throws {
        var noise = Noise(seed: 11)
        #expect(split(noise.bytes(7 << 20), level: 7, jobs: 2) == nil)
        // The second part has stored blocks, which are byte-aligned.
        let mixed = noise.text(5 << 20) + noise.bytes(1 << 20) + noise.text(2 << 20)
        #expect(split(mixed, level: 7, jobs: 2) == nil)
        let deflater = try ContentDeflater(level: .default, jobs: 2)
        let result = compress(mixed, room: mixed.count) { deflater.compress($0, into: &$1) }
        let size = try #require(result.size)
        #expect(inflated(Array(result.bytes.prefix(size)), size: mixed.count) == mixed)
    }

    @Test("too little room is no stream, and nothing is written beyond it")
    func room() throws {
        var noise = Noise(seed: 5)
        let content = noise.text(7 << 20)
        let size = try #require(split(content, level: 4, jobs: 1)).count
        for room in [0, 1, 1000, size / 2, size, content.count / 2] {
            let result = compress(content, room: content.count, filler: 0xA5) { input, output in
                var target = output._mutatingExtracting(..<room)
                return SplitDeflater(level: 4, jobs: 2).compress(input, into: &target)
            }
            #expect(result.bytes[room...].allSatisfy { $0 == 0xA5 })
        }
    }

    @Test("bits move as one by one")
    func bits() {
        var noise = Noise(seed: 77)
        var wrong = 0
        for _ in 0..<200 {
            let before = noise.bytes(40)
            let target = Int(noise.next() % 64)
            let source = target + Int(noise.next() % 64)
            let length = Int(noise.next() % UInt64(320 - source)) + 1
            var bytes = before
            bytes.withUnsafeMutableBytes {
                unsafe SplitDeflater.moveBits($0, from: source, length, to: target)
            }
            func bit(_ bytes: [UInt8], _ position: Int) -> UInt8 {
                bytes[position / 8] >> UInt8(position % 8) & 1
            }
            for position in 0..<target {
                wrong += bit(bytes, position) == bit(before, position) ? 0 : 1
            }
            for position in 0..<length {
                wrong += bit(bytes, target + position) == bit(before, source + position) ? 0 : 1
            }
            for position in (target + length)..<((target + length + 7) / 8 * 8) {
                wrong += bit(bytes, position) == 0 ? 0 : 1
            }
        }
        #expect(wrong == 0)
    }
}
