import PackArchive
import PackGround
import PackZip
import TestSupport
import Testing

/// Clients decompress entries by zlib, and a publish those copied from a verified package by libdeflate: both as
/// strictly as libarchive.
struct EntryDecoderTests {
    enum Library: CaseIterable { case zlib, libdeflate }

    private static let content: [UInt8] = {
        var noise = Noise(seed: 77)
        return noise.text(40_000)
    }()

    /// Reads an entry whose data is between other bytes; `nil` if it is rejected.
    private static func read(
        _ data: [UInt8], by library: Library, method: UInt16 = ZipFormat.deflated, size: Int,
        compressedSize: Int? = nil
    ) async throws -> [UInt8]? {
        try await TemporaryFolder.with { folder in
            try folder.write([1, 2, 3] + data, as: "archive")
            let entry = ZipEntry(
                name: Array("a.js".utf8), flags: 0, method: method, checksum: 0,
                compressedSize: UInt64(compressedSize ?? data.count), size: UInt64(size),
                headerOffset: 0, dataOffset: 3)
            do {
                // The caller of a decoder compares the size.
                let contents = try Self.contents(of: [entry], in: folder, by: library)
                return contents[0].count == size ? contents[0] : nil
            } catch let failure as Failure where failure.code.isOf("archive") {
                return nil
            }
        }
    }

    /// The contents of entries in the file `archive`, by one decoder.
    private static func contents(
        of entries: [ZipEntry], in folder: TemporaryFolder, by library: Library
    ) throws -> [[UInt8]] {
        var contents: [[UInt8]] = []
        func append(_ piece: RawSpan) {
            piece.withUnsafeBytes { contents[contents.count - 1].append(contentsOf: $0) }
        }
        switch library {
        case .zlib:
            var decoder = try ZlibDecoder("archive", in: folder.directory())
            for entry in entries {
                contents.append([])
                try decoder.read(entry, append)
            }
        case .libdeflate:
            var decoder = try ReusedContentReader(folder.directory().openFile("archive"))
            for entry in entries {
                contents.append([])
                try decoder.read(entry, append)
            }
        }
        return contents
    }

    @Test(arguments: Library.allCases)
    func wholeStream(_ library: Library) async throws {
        let data = HostileZip.deflate(Self.content)
        #expect(try await Self.read(data, by: library, size: Self.content.count) == Self.content)
    }

    @Test(arguments: Library.allCases)
    func storedContent(_ library: Library) async throws {
        let size = Self.content.count
        #expect(
            try await Self.read(Self.content, by: library, method: ZipFormat.stored, size: size)
                == Self.content)
    }

    @Test(arguments: Library.allCases)
    func oneDecoderForManyEntries(_ library: Library) async throws {
        try await TemporaryFolder.with { folder in
            let contents = [300, 5, 40_000, 1, 39_999].map { Array(Self.content.prefix($0)) }
            let data = contents.map { HostileZip.deflate($0) }
            try folder.write(data.flatMap { $0 }, as: "archive")
            var offset: UInt64 = 0
            let entries = zip(contents, data).map { content, data in
                defer { offset += UInt64(data.count) }
                return ZipEntry(
                    name: [], flags: 0, method: ZipFormat.deflated, checksum: 0,
                    compressedSize: UInt64(data.count), size: UInt64(content.count),
                    headerOffset: 0, dataOffset: offset)
            }
            #expect(try Self.contents(of: entries, in: folder, by: library) == contents)
        }
    }

    @Test("a stream that is not exactly the content is refused", arguments: Library.allCases)
    func refused(_ library: Library) async throws {
        let data = HostileZip.deflate(Self.content)
        let size = Self.content.count
        #expect(
            try await Self.read(data, by: library, size: size - 1) == nil, "shorter than the stream"
        )
        #expect(
            try await Self.read(data, by: library, size: size + 1) == nil, "longer than the stream")
        #expect(try await Self.read(data + [0], by: library, size: size) == nil, "a byte after it")
        #expect(
            try await Self.read(Array(data.dropLast()), by: library, size: size) == nil, "cut short"
        )
        #expect(
            try await Self.read(data, by: library, size: size, compressedSize: data.count + 9)
                == nil,
            "past the archive's end")
        #expect(try await Self.read([], by: library, size: size) == nil, "empty")
        #expect(
            try await Self.read([0x07], by: library, size: 1) == nil,
            "a block type that does not exist")
    }

    @Test("all readers of an archive together stay within one window of memory")
    func window() {
        #expect(ReusedContentReader.sizeLimit(jobs: 1) == 24 << 20)
        #expect(ReusedContentReader.sizeLimit(jobs: 16) * 16 == 24 << 20)
        #expect(ReusedContentReader.sizeLimit(jobs: 0) == 24 << 20)
    }
}
