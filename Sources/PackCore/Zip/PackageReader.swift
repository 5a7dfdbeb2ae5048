package import PackGround
package import PackRelease

/// Reads the content of a package and checks it against a release.
package struct PackageReader: Sendable {
    private let directory: Directory
    private let name: String
    private let structure: ZipStructure
    /// The expected files, in the archive's order.
    private let expected: [Expectation]

    private struct Expectation: Sendable {
        let path: AssetPath
        let size: UInt64
        /// `nil` if the archive itself is the source.
        let sha256: Digest?
    }

    /// Opens a package that must contain exactly the assets of a release, in any order.
    ///
    /// - Throws: ``Failure`` if it breaks the strict profile or its names or sizes differ from
    ///   the release's; ``Failure``.
    package init(
        _ name: String, in directory: Directory, expecting release: Release,
        limits: ExtractionLimits = .standard
    ) throws {
        let file = try directory.openFile(name)
        structure = try ZipStructure.read(file, limits: limits)
        self.directory = directory
        self.name = name
        var expected: [Expectation] = []
        expected.reserveCapacity(structure.files.count)
        var next = 0
        let fail = { (problem: ArchiveProblem, path: AssetPath) in
            Failure.archive(problem, archive: directory.display(name), entry: printable(path.bytes))
        }
        for (entry, path) in zip(structure.files, structure.paths) {
            // Our packages have the order of the release.
            guard let index = release.assets.index(of: path, startingAt: next) else {
                throw fail(.unexpectedEntry, path)
            }
            next = index + 1
            let asset = release.assets[index]
            guard asset.size == entry.size else { throw fail(.wrongSize, path) }
            expected.append(Expectation(path: path, size: asset.size, sha256: asset.sha256))
        }
        if expected.count < release.assets.count {
            let present = Set(expected.map(\.path))
            for asset in release.assets where !present.contains(asset.path) {
                throw fail(.missingEntry, asset.path)
            }
        }
        self.expected = expected
    }

    /// Opens a package whose content defines a release.
    ///
    /// - Throws: ``Failure`` if it breaks the strict profile.
    package init(
        _ name: String, in directory: Directory, limits: ExtractionLimits = .standard
    ) throws {
        let file = try directory.openFile(name)
        structure = try ZipStructure.read(file, limits: limits)
        self.directory = directory
        self.name = name
        expected = zip(structure.files, structure.paths).map {
            Expectation(path: $1, size: $0.size, sha256: nil)
        }
    }

    /// What an archive states about the content of a file.
    package struct Content: Hashable, Sendable {
        /// The size in bytes.
        package let size: UInt64
        /// The CRC-32.
        package let checksum: UInt32

        package init(size: UInt64, checksum: UInt32) {
            self.size = size
            self.checksum = checksum
        }
    }

    /// The files in the archive's order; reading compares them with their content.
    package var contents: [(path: AssetPath, content: Content)] {
        zip(structure.files, structure.paths).map {
            ($1, Content(size: $0.size, checksum: $0.checksum))
        }
    }

    /// The number and size of the files.
    package var tree: TreeSize {
        TreeSize(assets: expected.count, size: expected.clampedSum(of: \.size))
    }

    /// The release that a package contains, computed from its content.
    ///
    /// - Throws: ``Failure``, also for a package without any asset.
    package static func release(
        of name: String, in directory: Directory, jobs: Int, limits: ExtractionLimits = .standard,
        progress: ProgressSink? = nil
    ) async throws -> Release {
        let reader = try PackageReader(name, in: directory, limits: limits)
        guard reader.expected.contains(where: { !JunkFiles.isJunk(in: $0.path) }) else {
            throw Failure.archive(.noFiles, archive: directory.display(name))
        }
        let collector = FoundAssets()
        try await reader.readAll(
            jobs: jobs, progress: reader.counter(.hashing, progress), by: ZlibDecoder.init
        ) { CollectingSink(found: collector) }
        return Release(assets: collector.assets.withLock { $0 })
    }

    /// The content of one member of an archive.
    ///
    /// - Parameter isFirst: Whether it must be the first member.
    /// - Throws: ``Failure``, also for a member larger than `limit`.
    package static func member(
        of archive: String, in directory: Directory, named name: String, limit: Int,
        isFirst: Bool = false
    ) throws -> [UInt8] {
        let structure = try ZipStructure.read(directory.openFile(archive), limits: .standard)
        let fail = { (problem: ArchiveProblem) in
            Failure.archive(problem, archive: directory.display(archive), entry: name)
        }
        let candidates = isFirst ? structure.entries.prefix(1) : structure.entries[...]
        guard let entry = candidates.first(where: { $0.name.elementsEqual(name.utf8) }) else {
            throw fail(.missingEntry)
        }
        guard entry.size <= UInt64(limit) else { throw fail(.tooLarge(limit: UInt64(limit))) }
        var decoder = try ZlibDecoder(archive, in: directory)
        var content: [UInt8] = []
        try decoder.read(entry) { piece in
            guard piece.byteCount <= limit - content.count else { throw fail(.wrongSize) }
            unsafe piece.withUnsafeBytes { unsafe content.append(contentsOf: $0) }
        }
        guard UInt64(content.count) == entry.size else { throw fail(.wrongSize) }
        return content
    }

    private final class FoundAssets: Sendable {
        let assets = Locked<[Asset]>([])
    }

    private struct CollectingSink: ContentSink {
        let found: FoundAssets
        func begin(_ path: AssetPath) {}
        func receive(_ piece: RawSpan) {}
        func end(_ asset: Asset) { found.assets.withLock { $0.append(asset) } }
    }

    /// Counts the bytes of the files that are read.
    package func counter(_ phase: Progress.Phase, _ sink: ProgressSink?) -> ProgressCounter {
        ProgressCounter(phase: phase, total: expected.clampedSum(of: \.size), sink: sink)
    }

    /// Receives the content of the entries one after another.
    package protocol ContentSink: SendableMetatype {
        mutating func begin(_ path: AssetPath) throws
        mutating func receive(_ piece: RawSpan) throws
        /// Called when the content is complete and matches the expected hash, if any.
        mutating func end(_ asset: Asset) throws
    }

    /// Reads the entries, compares every SHA-256, and passes the content to sinks.
    ///
    /// Each task has its own sink and decoder, and reads runs of entries of about equal size.
    ///
    /// - Parameters:
    ///   - wanted: The files to read; `nil` for all.
    ///   - makeDecoder: Opens the archive.
    /// - Throws: ``Failure``; errors of a sink or a decoder.
    package func readAll<Sink: ContentSink, Decoder: EntryDecoder & ~Copyable>(
        only wanted: Set<AssetPath>? = nil, jobs: Int, progress: ProgressCounter?,
        by makeDecoder: @escaping DecoderMaker<Decoder>,
        makeSink: @escaping @Sendable () throws -> Sink
    ) async throws {
        let isWanted = expected.map { wanted?.contains($0.path) ?? true }
        let runs = makeRuns(count: jobs, isWanted)
        _ = try await mapInParallel(count: runs.count, jobs: jobs, makeState: makeSink) {
            sink, index in
            var decoder = try makeDecoder(name, directory)
            try self.read(runs[index], isWanted, progress: progress, by: &decoder, sink: &sink)
        }
    }

    /// Opens an archive by its name in a directory.
    package typealias DecoderMaker<Decoder: ~Copyable> =
        @Sendable (String, Directory) throws -> Decoder

    /// Ranges of file indices with about the same number of bytes to read.
    private func makeRuns(count: Int, _ isWanted: [Bool]) -> [Range<Int>] {
        let sizes = zip(expected, isWanted).map { $1 ? $0.size : 0 }
        let total = sizes.clampedSum { $0 }
        var runs: [Range<Int>] = []
        var start = 0
        var sum: UInt64 = 0
        for (index, size) in sizes.enumerated() {
            sum = sum.addingClamped(size)
            if runs.count < count - 1, sum >= total / UInt64(count) * UInt64(runs.count + 1) {
                runs.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < expected.count { runs.append(start..<expected.count) }
        return runs
    }

    private func read<Sink: ContentSink, Decoder: EntryDecoder & ~Copyable>(
        _ run: Range<Int>, _ isWanted: [Bool], progress: ProgressCounter?,
        by decoder: inout Decoder, sink: inout Sink
    ) throws {
        var index = 0
        for entry in structure.entries {
            if index == run.upperBound { return }
            try decoder.begin(entry)
            if entry.isDirectory { continue }
            if run.contains(index), isWanted[index] {
                CurrentFile.begin(expected[index].path)
                defer { CurrentFile.end() }
                try sink.begin(expected[index].path)
                var proof = ContentProof(of: entry, expected: expected[index].size)
                try decoder.read(entry) { try receive($0, &proof, &sink) }
                try finish(proof, expected[index], &sink)
                progress?.add(entry.size)
            }
            index += 1
        }
        try decoder.finish()
    }

    /// The state of reading one entry's content.
    private struct ContentProof {
        let entry: ZipEntry
        let expectedSize: UInt64
        var hasher = StreamHasher()
        var checksum = Checksum()
        var size: UInt64 = 0

        init(of entry: ZipEntry, expected size: UInt64) {
            self.entry = entry
            expectedSize = size
        }
    }

    private func receive<Sink: ContentSink>(
        _ piece: RawSpan, _ proof: inout ContentProof, _ sink: inout Sink
    ) throws {
        if piece.isEmpty { return }
        proof.size = proof.size.addingClamped(UInt64(piece.byteCount))
        guard proof.size <= proof.expectedSize else { throw error(.wrongSize, proof.entry) }
        proof.hasher.update(piece)
        proof.checksum.update(piece)
        try sink.receive(piece)
    }

    private func finish<Sink: ContentSink>(
        _ proof: ContentProof, _ expected: Expectation, _ sink: inout Sink
    ) throws {
        guard proof.size == expected.size else { throw error(.wrongSize, proof.entry) }
        guard proof.checksum.value == proof.entry.checksum else {
            throw error(.checksumDiffers, proof.entry)
        }
        let digest = proof.hasher.finish()
        if let wanted = expected.sha256, wanted != digest {
            throw error(.contentDiffers, proof.entry)
        }
        try sink.end(Asset(path: expected.path, size: proof.size, sha256: digest))
    }

    private func error(_ problem: ArchiveProblem, _ entry: ZipEntry) -> Failure {
        Failure.archive(problem, archive: directory.display(name), entry: printable(entry.name))
    }
}
