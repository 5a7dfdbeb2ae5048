package import PackGround
import PackRelease
package import PackZip

/// Decodes entries by libarchive, and those copied from an already verified package by libdeflate,
/// which takes a third of the time: it shares no code with ``PackageWriter`` and ``ZipStructure``.
package struct ProofDecoder: EntryDecoder, ~Copyable {
    private let archive: ArchiveReader
    private var copied: ReusedContentReader
    private let isCopied: @Sendable (ZipEntry) -> Bool
    /// The largest content for libdeflate, in bytes.
    private let limit: UInt64
    private let name: String

    /// Opens the archive.
    ///
    /// - Parameters:
    ///   - jobs: The number of decoders of this archive.
    ///   - isCopied: Whether an entry was copied from a verified package.
    /// - Throws: ``Failure``, also if memory is short.
    package init(
        _ name: String, in directory: Directory, jobs: Int,
        isCopied: @escaping @Sendable (ZipEntry) -> Bool
    ) throws {
        limit = ReusedContentReader.sizeLimit(jobs: jobs)
        self.name = directory.display(name)
        let archive = try ArchiveReader(directory.openFile(name))
        copied = try ReusedContentReader(directory.openFile(name))
        self.archive = archive
        self.isCopied = isCopied
    }

    package func begin(_ entry: ZipEntry) throws {
        guard let found = try archive.next() else {
            throw error(.unreadable("libarchive finds fewer entries"), entry.name)
        }
        // If two readers disagree about a name, neither is trusted.
        guard found == entry.name else {
            throw error(.unreadable("libarchive reads the name '\(printable(found))'"), entry.name)
        }
    }

    package mutating func read(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws {
        if max(entry.size, entry.compressedSize) <= limit, isCopied(entry) {
            return try copied.read(entry, body)
        }
        var position: UInt64 = 0
        while try archive.nextPiece(
            entry: entry.name, position: position,
            { piece in
                try body(piece)
                position += UInt64(piece.byteCount)
            })
        {}
    }

    package func finish() throws {
        if let extra = try archive.next() { throw error(.unexpectedEntry, extra) }
    }

    private func error(_ problem: ArchiveProblem, _ entry: [UInt8]) -> Failure {
        Failure.archive(problem, archive: name, entry: printable(entry))
    }
}

extension PackageReader {
    /// Reads and discards the content, to verify that a package matches its release.
    ///
    /// - Parameter reused: The paths of entries copied from an already verified package.
    package func prove(
        reused: Set<AssetPath> = [], jobs: Int, progress: ProgressSink? = nil
    ) async throws {
        let names = Set(reused.lazy.map(\.bytes))
        try await readAll(
            jobs: jobs, progress: counter(.proving, progress),
            by: { name, directory in
                try ProofDecoder(name, in: directory, jobs: jobs) { names.contains($0.name) }
            }
        ) { DiscardingSink() }
    }

    private struct DiscardingSink: ContentSink {
        func begin(_ path: AssetPath) {}
        func receive(_ piece: RawSpan) {}
        func end(_ asset: Asset) {}
    }
}

extension Unpacker {
    /// Writes the files of a package that is byte for byte one that was verified when it was
    /// published.
    package func unpackProved(into target: Directory, jobs: Int) async throws {
        try await unpack(into: target, jobs: jobs) { name, directory in
            try ProofDecoder(name, in: directory, jobs: jobs) { _ in true }
        }
    }
}
