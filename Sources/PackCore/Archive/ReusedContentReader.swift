package import PackGround
package import PackZip

/// Reads entries whose compressed form was copied from an already verified package.
///
/// libarchive has already read these bytes. libdeflate decodes them in a third of the time; CRC-32
/// and SHA-256 are compared as always.
package struct ReusedContentReader: ~Copyable {
    private let file: OwnedDescriptor
    private let inflater: Inflater
    private var compressed = ByteBuffer(count: 0)
    private var content = ByteBuffer(count: 0)
    private var neighbours = NeighbourReader()

    /// The content, in bytes, that all readers of one archive hold together; the same again
    /// compressed.
    private static let memoryWindow: UInt64 = 24 << 20

    /// The largest content, in bytes, compressed or not, for one of `jobs` readers.
    ///
    /// libarchive reads anything larger, since it does not need it in one piece.
    package static func sizeLimit(jobs: Int) -> UInt64 { memoryWindow / UInt64(max(1, jobs)) }

    /// Creates a reader.
    ///
    /// - Throws: ``Failure`` if memory is short.
    package init(_ file: consuming OwnedDescriptor) throws(Failure) {
        let inflater = try Inflater()
        self.inflater = inflater
        self.file = file
    }

    /// Passes the content of an entry to `body`.
    ///
    /// - Throws: ``Failure`` if the data is not one complete deflate stream of the entry's
    ///   size, or exceeds the size limit; ``Failure``; errors of `body`.
    package mutating func read(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws {
        let dataCount = try count(entry.compressedSize, of: entry)
        if compressed.count < dataCount { compressed = ByteBuffer(count: dataCount) }
        try compressed.withMutableBytes { bytes in
            var data = bytes._mutatingExtracting(..<dataCount)
            guard try neighbours.fill(&data, from: file, at: entry.dataOffset) == dataCount else {
                throw error(.truncatedRecord, entry)
            }
        }
        if entry.method == ZipFormat.stored {
            return try compressed.withBytes(first: dataCount, body)
        }
        let count = try count(entry.size, of: entry)
        if content.count < count { content = ByteBuffer(count: count) }
        let isWhole = compressed.withBytes(first: dataCount) { data in
            content.withMutableBytes { bytes in
                var output = bytes._mutatingExtracting(..<count)
                return inflater.decompress(data, into: &output)
            }
        }
        guard isWhole else {
            throw error(.unreadable("it is not one complete deflate stream of its size"), entry)
        }
        try content.withBytes(first: count, body)
    }

    /// A size as a count in memory.
    private borrowing func count(
        _ size: UInt64, of entry: ZipEntry
    ) throws(Failure) -> Int {
        guard let count = UntrustedLength(size).count(atMost: Int(Self.memoryWindow)) else {
            throw error(.tooLarge(limit: Self.memoryWindow), entry)
        }
        return count
    }

    private func error(_ problem: ArchiveProblem, _ entry: ZipEntry) -> Failure {
        Failure.archive(problem, archive: file.path, entry: printable(entry.name))
    }
}
