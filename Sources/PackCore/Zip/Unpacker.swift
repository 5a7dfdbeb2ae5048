package import PackGround
package import PackRelease

/// Unpacks a package into an empty directory.
package struct Unpacker: Sendable {
    private let reader: PackageReader
    /// The paths and sizes of the files to unpack.
    private let files: [(path: AssetPath, size: UInt64)]
    private let wanted: Set<AssetPath>?

    /// Opens a package that must contain exactly the assets of a release.
    ///
    /// - Parameter wanted: The assets to unpack; `nil` for all.
    package init(
        _ name: String, in directory: Directory, expecting release: Release,
        only wanted: Set<AssetPath>? = nil, limits: ExtractionLimits = .standard
    ) throws {
        reader = try PackageReader(name, in: directory, expecting: release, limits: limits)
        files = release.assets.filter { wanted?.contains($0.path) ?? true }
            .map { ($0.path, $0.size) }
        self.wanted = wanted
    }

    /// Unpacks all files but some of a package whose tree the caller verifies afterwards.
    package init(_ reader: PackageReader, except others: Set<AssetPath>) {
        self.reader = reader
        files = reader.contents.filter { !others.contains($0.path) }
            .map { ($0.path, $0.content.size) }
        wanted = others.isEmpty ? nil : Set(files.map(\.path))
    }

    /// Writes the files below `target`, which must be empty: no file is ever replaced.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether the files can later only be read.
    ///   - makeDecoder: Opens the archive.
    /// - Throws: ``Failure``. Files written so far stay in `target`.
    package func unpack<Decoder: EntryDecoder & ~Copyable>(
        into target: Directory, isReadOnly: Bool = false, jobs: Int,
        progress: ProgressSink? = nil,
        by makeDecoder: @escaping PackageReader.DecoderMaker<Decoder>
    ) async throws {
        try target.makeDirectories(of: files.lazy.map(\.path))
        let counter = ProgressCounter(
            phase: .installing, total: files.clampedSum { $0.size }, sink: progress)
        try await reader.readAll(only: wanted, jobs: jobs, progress: counter, by: makeDecoder) {
            FileSink(target: target, isReadOnly: isReadOnly)
        }
    }

    /// Writes the files by zlib.
    package func unpack(
        into target: Directory, isReadOnly: Bool = false, jobs: Int,
        progress: ProgressSink? = nil
    ) async throws {
        try await unpack(
            into: target, isReadOnly: isReadOnly, jobs: jobs, progress: progress,
            by: ZlibDecoder.init)
    }

    /// Writes each entry to a file of its own.
    private final class FileSink: PackageReader.ContentSink {
        private let target: Directory
        private let isReadOnly: Bool
        private var file: OwnedDescriptor?

        init(target: Directory, isReadOnly: Bool) {
            self.target = target
            self.isReadOnly = isReadOnly
        }

        func begin(_ path: AssetPath) throws {
            let name = path.description
            file = isReadOnly ? try target.createReadOnlyFile(name) : try target.createFile(name)
        }

        func receive(_ piece: RawSpan) throws {
            try file?.write(piece)
        }

        func end(_ asset: Asset) throws {
            // A full disk may show only when closing.
            if let open = file.take() { try open.close() }
        }
    }
}
