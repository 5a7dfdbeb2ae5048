/// Reads the content of a package, checking it against what a release says on the way.
package struct PackageReader: Sendable {
    private let directory: Directory
    private let name: String
    private let structure: ZipStructure
    /// The assets in the archive's order.
    private let assets: [Asset]

    /// Opens a package that must hold exactly the assets of a release, in any order.
    ///
    /// - Throws: ``ArchiveError`` where it breaks the strict profile or its names or sizes are not the
    ///   release's; ``FileSystemError``.
    package init(
        _ name: String, in directory: Directory, expecting release: Release,
        limits: ExtractionLimits = .standard
    ) throws {
        let file = try directory.openFile(name)
        structure = try ZipStructure.read(file, limits: limits)
        self.directory = directory
        self.name = name
        let expected = Dictionary(
            release.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var assets: [Asset] = []
        let fail = { (problem: ArchiveError.Problem, path: AssetPath) in
            ArchiveError(problem, archive: directory.display(name), entry: printable(path.bytes))
        }
        for (entry, path) in zip(structure.files, structure.paths) {
            guard let asset = expected[path] else { throw fail(.unexpectedEntry, path) }
            guard asset.size == entry.size else { throw fail(.wrongSize, path) }
            assets.append(asset)
        }
        if assets.count < release.assets.count {
            let present = Set(assets.map(\.path))
            for asset in release.assets where !present.contains(asset.path) {
                throw fail(.missingEntry, asset.path)
            }
        }
        self.assets = assets
    }

    /// Receives the content of the entries one after another.
    protocol ContentSink: SendableMetatype {
        mutating func begin(_ asset: Asset) throws
        mutating func receive(_ piece: UnsafeRawBufferPointer) throws
        mutating func end() throws
    }

    /// Reads everything through libarchive and compares every SHA-256; content goes to sinks, one per
    /// task. Entries are dealt to tasks in runs of about equal size.
    ///
    /// - Throws: ``ArchiveError``; what a sink throws.
    func readAll<Sink: ContentSink>(
        jobs: Int, progress: ProgressCounter?, makeSink: @escaping @Sendable () throws -> Sink
    ) async throws {
        let runs = makeRuns(count: jobs)
        _ = try await mapInParallel(count: runs.count, jobs: jobs, makeState: makeSink) { sink, index in
            try self.read(runs[index], progress: progress, sink: &sink)
        }
    }

    /// Reads the content without keeping it: the proof that a package is what a release says.
    package func prove(jobs: Int, progress: ProgressSink? = nil) async throws {
        let counter = ProgressCounter(
            phase: .proving, total: assets.reduce(0) { $0 + $1.size }, sink: progress)
        try await readAll(jobs: jobs, progress: counter) { DiscardingSink() }
    }

    private struct DiscardingSink: ContentSink {
        func begin(_ asset: Asset) {}
        func receive(_ piece: UnsafeRawBufferPointer) {}
        func end() {}
    }

    /// Ranges of file indices with about the same number of bytes.
    private func makeRuns(count: Int) -> [Range<Int>] {
        let total = assets.reduce(0) { $0 + $1.size }
        var runs: [Range<Int>] = []
        var start = 0
        var sum: UInt64 = 0
        for (index, asset) in assets.enumerated() {
            sum += asset.size
            if runs.count < count - 1, sum >= total / UInt64(count) * UInt64(runs.count + 1) {
                runs.append(start..<(index + 1))
                start = index + 1
            }
        }
        if start < assets.count { runs.append(start..<assets.count) }
        return runs
    }

    private func read<Sink: ContentSink>(
        _ run: Range<Int>, progress: ProgressCounter?, sink: inout Sink
    ) throws {
        let reader = try ArchiveReader(directory.openFile(name))
        let buffer = ByteBuffer.forReading()
        var index = 0
        for entry in structure.entries {
            if index == run.upperBound { return }
            guard let readName = try reader.next() else {
                throw error(.unreadable("libarchive finds fewer entries"), entry)
            }
            // Two readers that disagree on a name must not both go on.
            guard readName == entry.name else {
                throw error(.unreadable("libarchive reads the name '\(printable(readName))'"), entry)
            }
            if entry.isDirectory { continue }
            if run.contains(index) {
                try read(entry, assets[index], reader, buffer, &sink)
                progress?.add(entry.size)
            }
            index += 1
        }
        if let extra = try reader.next() {
            throw ArchiveError(
                .unexpectedEntry, archive: directory.display(name), entry: printable(extra))
        }
    }

    private func read<Sink: ContentSink>(
        _ entry: ZipEntry, _ asset: Asset, _ reader: borrowing ArchiveReader, _ buffer: ByteBuffer,
        _ sink: inout Sink
    ) throws {
        var hasher = StreamHasher()
        var size: UInt64 = 0
        try sink.begin(asset)
        while true {
            let count = try unsafe reader.read(into: buffer.bytes, entry: entry.name)
            if count == 0 { break }
            size += UInt64(count)
            guard size <= asset.size else { throw error(.wrongSize, entry) }
            let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
            unsafe hasher.update(piece)
            try unsafe sink.receive(piece)
        }
        guard size == asset.size else { throw error(.wrongSize, entry) }
        guard hasher.finish() == asset.sha256 else { throw error(.contentDiffers, entry) }
        try sink.end()
    }

    private func error(_ problem: ArchiveError.Problem, _ entry: ZipEntry) -> ArchiveError {
        ArchiveError(problem, archive: directory.display(name), entry: printable(entry.name))
    }
}
