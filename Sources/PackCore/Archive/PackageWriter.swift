package import PackGround
package import PackRelease
import PackZip

/// Writes the package of a build: a zip whose bytes depend only on the content and the level.
///
/// Assets are compressed in parallel, a batch of neighbours per task, and written in listing order
/// by one task. The number of batches in progress is bounded by memory, not by count.
package struct PackageWriter {
    let scan: BuildScan
    let level: CompressionLevel
    let reuse: ReuseArchive?
    let jobs: Int
    let counter: ProgressCounter

    /// zlib compresses content above this size as a stream; libdeflate needs it in one piece.
    package static let streamingThreshold: UInt64 = 32 << 20
    /// The limit for content and output in memory, in bytes; one batch is always allowed.
    private static let memoryWindow: UInt64 = 24 << 20
    private static let batchBytes: UInt64 = 2 << 20
    private static let batchCount = 256

    package init(
        scan: BuildScan, level: CompressionLevel, reuse: ReuseArchive? = nil, jobs: Int,
        progress: ProgressSink? = nil
    ) {
        self.scan = scan
        self.level = level
        self.reuse = reuse
        self.jobs = jobs
        counter = ProgressCounter(phase: .packing, total: scan.release.totalBytes, sink: progress)
    }

    /// The result of writing a package.
    package struct Summary: Sendable {
        /// Size of the archive in bytes.
        package var size: UInt64 = 0
        package var deflatedFiles = 0
        package var storedFiles = 0
        /// Paths of the entries whose compressed form was copied from an earlier package.
        package var reused: Set<AssetPath> = []
        /// The size of the reused entries' content, in bytes.
        package var reusedBytes: UInt64 = 0
        package var reusedFiles: Int { reused.count }
    }

    /// Writes the archive from the file's current position, which must be its start.
    ///
    /// - Throws: ``Failure/buildChangedWhileRead(path:)`` if a file has changed since it was hashed;
    ///   ``Failure``.
    package func write(to file: borrowing OwnedDescriptor) async throws -> Summary {
        var summary = Summary()
        var entries: [ZipEntry] = []
        var offset: UInt64 = 0
        let batches = makeBatches()

        try await withThrowingTaskGroup(of: (Int, EncodedBatch).self) { group in
            var finished: [Int: EncodedBatch] = [:]
            var started = 0
            var memory: UInt64 = 0
            for index in batches.indices {
                // The next batch in order is always running, so this cannot deadlock.
                while started < batches.count,
                    started == index
                        || (started - index < 2 * jobs
                            && memory + batches[started].cost <= Self.memoryWindow)
                {
                    if !batches[started].isStreamed {
                        let number = started
                        group.addTask { (number, try self.encode(batches[number])) }
                    }
                    memory += batches[started].cost
                    started += 1
                }
                if batches[index].isStreamed {
                    let entry = try stream(batches[index].range.lowerBound, to: file, at: offset)
                    offset = entry.dataOffset + entry.compressedSize
                    summary.count(entry)
                    entries.append(entry)
                } else {
                    while finished[index] == nil, let (number, batch) = try await group.next() {
                        finished[number] = batch
                    }
                    guard let batch = finished.removeValue(forKey: index) else { break }
                    try file.write(batch.bytes)
                    for (entry, isReused) in zip(batch.entries, batch.reused) {
                        var entry = entry
                        entry.headerOffset += offset
                        summary.count(entry)
                        if isReused {
                            summary.reused.insert(scan.release.assets[entries.count].path)
                            summary.reusedBytes += entry.size
                        }
                        entries.append(entry)
                    }
                    offset += UInt64(batch.bytes.count)
                }
                memory -= batches[index].cost
            }
        }

        summary.size = try writeDirectory(entries, at: offset, to: file)
        return summary
    }

    private func writeDirectory(
        _ entries: [ZipEntry], at offset: UInt64, to file: borrowing OwnedDescriptor
    ) throws(Failure) -> UInt64 {
        let bytes = ZipHeaders.directory(entries, at: offset)
        try file.write(bytes)
        return offset + UInt64(bytes.count)
    }

    // MARK: Batches

    private struct Batch {
        var range: Range<Int>
        /// Bytes in memory while the batch is in progress.
        var cost: UInt64
        var isStreamed = false
    }

    private func makeBatches() -> [Batch] {
        var batches: [Batch] = []
        for (index, asset) in scan.release.assets.enumerated() {
            if asset.size > Self.streamingThreshold {
                batches.append(Batch(range: index..<(index + 1), cost: 0, isStreamed: true))
            } else if let last = batches.last, !last.isStreamed,
                last.cost + 2 * asset.size <= 2 * Self.batchBytes,
                last.range.count < Self.batchCount
            {
                batches[batches.count - 1].range = last.range.lowerBound..<(index + 1)
                batches[batches.count - 1].cost += 2 * asset.size
            } else {
                batches.append(Batch(range: index..<(index + 1), cost: 2 * asset.size))
            }
        }
        return batches
    }

    private func reusable(_ index: Int) -> ZipEntry? {
        reuse?.entry(checksum: scan.checksums[index], size: scan.release.assets[index].size)
    }

    /// Local headers and data of neighbouring assets.
    private struct EncodedBatch: Sendable {
        var bytes: [UInt8]
        /// With offsets relative to the start of ``bytes``.
        var entries: [ZipEntry]
        var reused: [Bool]
    }

    private func encode(_ batch: Batch) throws -> EncodedBatch {
        let assets = scan.release.assets[batch.range]
        let largest = assets.map(\.size).max() ?? 0
        // Content that does not shrink is stored, so content and headers bound the output.
        let capacity = assets.reduce(0) {
            $0 + Int($1.size) + ZipFormat.localHeaderSize + $1.path.bytes.count + 20
        }
        let deflater = try ContentDeflater(level: level, jobs: jobs)
        let input = ByteBuffer(count: Int(largest) + 1)
        var entries: [ZipEntry] = []
        var reused: [Bool] = []
        var neighbours = NeighbourReader()
        let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var room = unsafe MutableRawSpan(_unsafeBytes: UnsafeMutableRawBufferPointer(buffer))
            for index in batch.range {
                var output = room._mutatingExtracting(count...)
                let (entry, isReused) = try encode(
                    index, deflater, input, &neighbours, into: &output)
                var placed = entry
                placed.headerOffset = UInt64(count)
                count += ZipHeaders.localHeaderSize(entry) + Int(entry.compressedSize)
                entries.append(placed)
                reused.append(isReused)
            }
        }
        return EncodedBatch(bytes: bytes, entries: entries, reused: reused)
    }

    /// Writes one entry's header and data to the start of `output`.
    private func encode(
        _ index: Int, _ deflater: borrowing ContentDeflater, _ input: ByteBuffer,
        _ neighbours: inout NeighbourReader, into output: inout MutableRawSpan
    ) throws -> (ZipEntry, isReused: Bool) {
        let asset = scan.release.assets[index]
        CurrentFile.begin(asset.path)
        defer { CurrentFile.end() }
        var entry = newEntry(index)
        let headerSize = ZipHeaders.localHeaderSize(entry)
        // An entry's data is never larger than its content: content that does not shrink is stored.
        var data = output._mutatingExtracting(headerSize..<(headerSize + Int(asset.size)))
        let earlier = reusable(index)
        if let reuse, let earlier {
            entry.method = earlier.method
            entry.compressedSize = earlier.compressedSize
            try reuse.copy(earlier, into: &data, by: &neighbours)
        } else {
            let count = try read(index, into: input)
            input.withBytes(first: count) { content in
                var room = data._mutatingExtracting(..<max(0, count - 1))
                if let size = deflater.compress(content, into: &room) {
                    entry.method = ZipFormat.deflated
                    entry.compressedSize = UInt64(size)
                } else {
                    data.replaceFirst(with: content)
                    entry.compressedSize = UInt64(count)
                }
            }
        }
        if entry.method == ZipFormat.deflated { entry.flags |= level.flagBits }
        unsafe output.replaceFirst(with: ZipHeaders.localHeader(entry).span.bytes)
        counter.add(asset.size)
        return (entry, earlier != nil)
    }

    private func newEntry(_ index: Int) -> ZipEntry {
        let asset = scan.release.assets[index]
        let isPlain = asset.path.bytes.allSatisfy { $0 < 0x80 }
        return ZipEntry(
            name: asset.path.bytes, flags: isPlain ? 0 : ZipFormat.flagUTF8,
            method: ZipFormat.stored,
            checksum: scan.checksums[index], compressedSize: asset.size, size: asset.size)
    }

    /// Reads a whole asset to the start of a buffer and checks for changes since it was hashed.
    ///
    /// - Returns: Its size in bytes.
    private func read(_ index: Int, into buffer: ByteBuffer) throws -> Int {
        let asset = scan.release.assets[index]
        let name = asset.path.description
        let file = try scan.directory.openFile(name)
        // The buffer is one byte larger than the largest asset, so a file that grew is noticed.
        let filled = try buffer.withMutableBytes { bytes in
            var room = bytes._mutatingExtracting(..<(Int(asset.size) + 1))
            return try file.fill(&room)
        }
        guard filled == Int(asset.size),
            buffer.withBytes(first: filled, { Checksum.of($0) }) == scan.checksums[index]
        else { throw Failure.buildChangedWhileRead(path: scan.directory.display(name)) }
        return filled
    }

    // MARK: Large content

    /// Compresses one large asset directly into the file, then goes back to write its header.
    private func stream(
        _ index: Int, to file: borrowing OwnedDescriptor, at offset: UInt64
    ) throws -> ZipEntry {
        var entry = newEntry(index)
        entry.headerOffset = offset
        entry.dataOffset = offset + UInt64(ZipHeaders.localHeader(entry).count)
        let buffers = (input: ByteBuffer(count: 1 << 20), output: ByteBuffer(count: 1 << 20))

        let deflater = try StreamDeflater(level: level)
        try file.seek(to: entry.dataOffset, truncating: false)
        var written: UInt64 = 0
        try forEachPiece(of: index, buffer: buffers.input) { piece, isLast in
            counter.add(UInt64(piece.byteCount))
            // Once the output is larger than the content, the entry will be stored, and the rest is
            // read only to check it.
            guard written < entry.size else { return }
            try deflater.update(piece, isLast: isLast, scratch: buffers.output) { bytes in
                try file.write(bytes)
                written += UInt64(bytes.byteCount)
            }
        }
        if written < entry.size {
            entry.method = ZipFormat.deflated
            entry.flags |= level.flagBits
            entry.compressedSize = written
        } else {
            try file.seek(to: entry.dataOffset, truncating: true)
            try forEachPiece(of: index, buffer: buffers.input) { piece, _ in
                try file.write(piece)
            }
        }
        try file.write(ZipHeaders.localHeader(entry), at: offset)
        try file.seek(to: entry.dataOffset + entry.compressedSize, truncating: true)
        return entry
    }

    private func forEachPiece(
        of index: Int, buffer: ByteBuffer,
        _ body: (RawSpan, _ isLast: Bool) throws -> Void
    ) throws {
        let asset = scan.release.assets[index]
        let name = asset.path.description
        let file = try scan.directory.openFile(name)
        var checksum = Checksum()
        var position: UInt64 = 0
        while position < asset.size {
            let count = try buffer.read(file)
            if count == 0 { break }
            position += UInt64(count)
            try buffer.withBytes(first: count) { piece in
                checksum.update(piece)
                try body(piece, position >= asset.size)
            }
        }
        guard position == asset.size, checksum.value == scan.checksums[index] else {
            throw Failure.buildChangedWhileRead(path: scan.directory.display(name))
        }
    }
}

extension PackageWriter.Summary {
    fileprivate mutating func count(_ entry: ZipEntry) {
        if entry.method == ZipFormat.deflated { deflatedFiles += 1 } else { storedFiles += 1 }
    }
}
