import PackArchive
import PackGround
import TestSupport
import Testing

/// Entries copied from a verified package are decompressed by libdeflate, as strictly as by
/// libarchive.
struct ReusedContentReaderTests {
    private static let content: [UInt8] = {
        var noise = Noise(seed: 77)
        return noise.text(40_000)
    }()

    /// Reads an entry whose data is between other bytes; `nil` if it is rejected.
    private static func read(
        _ data: [UInt8], method: UInt16 = ZipFormat.deflated, size: Int, compressedSize: Int? = nil
    ) async throws -> [UInt8]? {
        try await TemporaryFolder.with { folder in
            try folder.write([1, 2, 3] + data, as: "archive")
            let entry = ZipEntry(
                name: Array("a.js".utf8), flags: 0, method: method, checksum: 0,
                compressedSize: UInt64(compressedSize ?? data.count), size: UInt64(size),
                headerOffset: 0, dataOffset: 3)
            var reader = try ReusedContentReader(folder.directory().openFile("archive"))
            do {
                var content: [UInt8] = []
                try reader.read(entry) { piece in
                    piece.withUnsafeBytes { content.append(contentsOf: $0) }
                }
                return content
            } catch let failure as Failure where failure.code.isOf("archive") {
                return nil
            }
        }
    }

    @Test func wholeStream() async throws {
        let data = HostileZip.deflate(Self.content)
        #expect(try await Self.read(data, size: Self.content.count) == Self.content)
    }

    @Test func storedContent() async throws {
        let size = Self.content.count
        #expect(
            try await Self.read(Self.content, method: ZipFormat.stored, size: size) == Self.content)
    }

    @Test func oneReaderForManyEntries() async throws {
        try await TemporaryFolder.with { folder in
            let contents = [300, 5, 40_000, 1, 39_999].map { Array(Self.content.prefix($0)) }
            let data = contents.map { HostileZip.deflate($0) }
            try folder.write(data.flatMap { $0 }, as: "archive")
            var reader = try ReusedContentReader(folder.directory().openFile("archive"))
            var offset: UInt64 = 0
            for (content, data) in zip(contents, data) {
                let entry = ZipEntry(
                    name: [], flags: 0, method: ZipFormat.deflated, checksum: 0,
                    compressedSize: UInt64(data.count), size: UInt64(content.count),
                    headerOffset: 0, dataOffset: offset)
                var found: [UInt8] = []
                try reader.read(entry) { piece in
                    piece.withUnsafeBytes { found.append(contentsOf: $0) }
                }
                #expect(found == content)
                offset += UInt64(data.count)
            }
        }
    }

    @Test("a stream that is not exactly the content is refused")
    func refused() async throws {
        let data = HostileZip.deflate(Self.content)
        let size = Self.content.count
        #expect(try await Self.read(data, size: size - 1) == nil, "shorter than the stream")
        #expect(try await Self.read(data, size: size + 1) == nil, "longer than the stream")
        #expect(try await Self.read(data + [0], size: size) == nil, "a byte after it")
        #expect(try await Self.read(Array(data.dropLast()), size: size) == nil, "cut short")
        #expect(
            try await Self.read(data, size: size, compressedSize: data.count + 9) == nil,
            "past the archive's end")
        #expect(try await Self.read([], size: size) == nil, "empty")
        #expect(try await Self.read([0x07], size: 1) == nil, "a block type that does not exist")
    }

    @Test("all readers of an archive together stay within one window of memory")
    func window() {
        #expect(ReusedContentReader.sizeLimit(jobs: 1) == 24 << 20)
        #expect(ReusedContentReader.sizeLimit(jobs: 16) * 16 == 24 << 20)
        #expect(ReusedContentReader.sizeLimit(jobs: 0) == 24 << 20)
    }
}
