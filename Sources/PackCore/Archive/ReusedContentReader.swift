/// Reads entries whose compressed form was copied from a package that was proved when it was published.
///
/// libarchive read these very bytes then. A second decoder, libdeflate, which takes a third of the time,
/// reads them now; CRC-32 and SHA-256 are compared as ever.
struct ReusedContentReader: ~Copyable {
    private let file: OwnedDescriptor
    private let inflater: Inflater
    private var compressed = ByteBuffer(count: 0)
    private var content = ByteBuffer(count: 0)

    /// Content of all readers of one archive together, in bytes; compressed as much again.
    private static let memoryWindow: UInt64 = 24 << 20

    /// The largest content, in bytes, compressed or not, that one of `jobs` readers takes.
    ///
    /// Anything larger is libarchive's, which does not need it whole.
    static func sizeLimit(jobs: Int) -> UInt64 { memoryWindow / UInt64(max(1, jobs)) }

    /// - Throws: ``CompressorError`` where there is no memory for a decompressor.
    init(_ file: consuming OwnedDescriptor) throws(CompressorError) {
        let inflater = try Inflater()
        self.inflater = inflater
        self.file = file
    }

    /// The content of an entry.
    ///
    /// - Returns: what is valid until the next call.
    /// - Throws: ``ArchiveError`` where its data is not one whole deflate stream of its size;
    ///   ``FileSystemError``.
    mutating func content(of entry: ZipEntry) throws -> UnsafeRawBufferPointer {
        let data = try unsafe load(entry)
        if entry.method == ZipFormat.stored { return unsafe data }
        let output = unsafe Self.room(&content, for: entry.size)
        guard unsafe inflater.decompress(data, into: output) else {
            throw error(.unreadable("it is not one whole deflate stream of its size"), entry)
        }
        return UnsafeRawBufferPointer(output)
    }

    private mutating func load(_ entry: ZipEntry) throws -> UnsafeRawBufferPointer {
        let data = unsafe Self.room(&compressed, for: entry.compressedSize)
        guard try unsafe file.fill(data, at: entry.dataOffset) == data.count else {
            throw error(.truncatedRecord, entry)
        }
        return UnsafeRawBufferPointer(data)
    }

    private static func room(
        _ buffer: inout ByteBuffer, for size: UInt64
    ) -> UnsafeMutableRawBufferPointer {
        if buffer.count < Int(size) { buffer = ByteBuffer(count: Int(size)) }
        return unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(size)])
    }

    private func error(_ problem: ArchiveError.Problem, _ entry: ZipEntry) -> ArchiveError {
        ArchiveError(problem, archive: file.path, entry: printable(entry.name))
    }
}
