package import PackGround

/// Decodes entries by zlib.
package struct ZlibDecoder: EntryDecoder, ~Copyable {
    private let file: OwnedDescriptor
    private var stream: InflateStream
    private let input = ByteBuffer(count: 64 << 10)
    private let output = ByteBuffer(count: 256 << 10)

    /// Opens the archive.
    ///
    /// - Throws: ``Failure``, also if memory is short.
    package init(_ name: String, in directory: Directory) throws {
        let file = try directory.openFile(name)
        stream = try InflateStream()
        self.file = file
    }

    package func begin(_ entry: ZipEntry) {}

    package func finish() {}

    package mutating func read(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws {
        var offset = entry.dataOffset
        let end = offset.addingClamped(entry.compressedSize)
        stream.restart()
        repeat {
            let count = try input.withMutableBytes { bytes in
                var room = bytes._mutatingExtracting(
                    ..<Int(min(UInt64(bytes.byteCount), end - offset)))
                let count = try file.fill(&room, at: offset)
                guard count == room.byteCount else { throw error(.truncatedRecord, entry) }
                return count
            }
            offset += UInt64(count)
            if entry.method == ZipFormat.stored {
                try input.withBytes(first: count, body)
            } else {
                let hasEnded = try input.withBytes(first: count) { try inflate($0, entry, body) }
                guard hasEnded == (offset == end) else { throw error(Self.notOneStream, entry) }
            }
        } while offset < end
    }

    /// Decompresses a piece of an entry's data.
    ///
    /// - Returns: Whether the stream ends with the piece.
    private mutating func inflate(
        _ piece: RawSpan, _ entry: ZipEntry, _ body: (RawSpan) throws -> Void
    ) throws -> Bool {
        var rest = piece
        while true {
            let step = output.withMutableBytes { room in stream.inflate(rest, into: &room) }
            guard let step else { throw error(Self.notOneStream, entry) }
            try output.withBytes(first: step.filled, body)
            rest = rest.extracting(step.used...)
            if step.hasEnded {
                guard rest.isEmpty else { throw error(Self.notOneStream, entry) }
                return true
            }
            // A full output may be followed by more without any input.
            if rest.isEmpty, step.filled < output.count { return false }
        }
    }

    private static let notOneStream = ArchiveProblem.unreadable(
        "it is not one complete deflate stream")

    private func error(_ problem: ArchiveProblem, _ entry: ZipEntry) -> Failure {
        Failure.archive(problem, archive: file.path, entry: printable(entry.name))
    }
}
