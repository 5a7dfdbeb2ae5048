/// Unpacks a package into a fresh directory, under the names of a release and never those of the
/// zip.
package struct Unpacker: Sendable {
    private let reader: PackageReader
    private let release: Release

    /// Opens a package that must contain exactly the assets of a release.
    package init(
        _ name: String, in directory: Directory, expecting release: Release,
        limits: ExtractionLimits = .standard
    ) throws {
        reader = try PackageReader(name, in: directory, expecting: release, limits: limits)
        self.release = release
    }

    /// Writes the assets below `target`, which must be empty: no file is ever replaced.
    ///
    /// - Throws: ``ArchiveError``, ``FileSystemError``. Files written until then stay in
    ///   `target`.
    package func unpack(into target: Directory, jobs: Int, progress: ProgressSink? = nil)
        async throws
    {
        var made: Set<ArraySlice<UInt8>> = []
        for asset in release.assets {
            for directory in asset.path.directories where made.insert(directory).inserted {
                try target.makeDirectory(String(decoding: directory, as: UTF8.self))
            }
        }
        let counter = ProgressCounter(phase: .installing, total: release.totalBytes, sink: progress)
        try await reader.readAll(jobs: jobs, progress: counter) { FileSink(target: target) }
    }

    /// Writes each entry to a file of its own.
    private final class FileSink: PackageReader.ContentSink {
        private let target: Directory
        private var file: OwnedDescriptor?

        init(target: Directory) { self.target = target }

        func begin(_ path: AssetPath) throws {
            file = try target.createFile(path.description)
        }

        func receive(_ piece: RawSpan) throws {
            try file?.write(piece)
        }

        func end(_ asset: Asset) throws {
            // Closing may be where a full disk shows.
            if let open = file.take() { try open.close() }
        }
    }
}
