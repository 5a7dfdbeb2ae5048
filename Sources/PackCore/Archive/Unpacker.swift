package import PackGround
package import PackRelease

/// Unpacks a package into an empty directory, using only the names of a release, never those of the
/// zip.
package struct Unpacker: Sendable {
    private let reader: PackageReader
    private let assets: [Asset]
    private let wanted: Set<AssetPath>?

    /// Opens a package that must contain exactly the assets of a release.
    ///
    /// - Parameter wanted: The assets to unpack; `nil` for all.
    package init(
        _ name: String, in directory: Directory, expecting release: Release,
        only wanted: Set<AssetPath>? = nil, limits: ExtractionLimits = .standard
    ) throws {
        reader = try PackageReader(name, in: directory, expecting: release, limits: limits)
        assets = release.assets.filter { wanted?.contains($0.path) ?? true }
        self.wanted = wanted
    }

    /// Writes the assets below `target`, which must be empty: no file is ever replaced.
    ///
    /// - Parameter isProved: Whether the package is byte for byte one that was verified when it was
    ///   published, so that ``ReusedContentReader`` may read it.
    /// - Throws: ``Failure``. Files written so far stay in `target`.
    package func unpack(
        into target: Directory, isProved: Bool = false, jobs: Int, progress: ProgressSink? = nil
    ) async throws {
        var made: Set<ArraySlice<UInt8>> = []
        for asset in assets {
            for directory in asset.path.directories where made.insert(directory).inserted {
                try target.makeDirectory(String(decoding: directory, as: UTF8.self))
            }
        }
        let counter = ProgressCounter(
            phase: .installing, total: assets.clampedSum(of: \.size), sink: progress)
        let proved = isProved ? Set(assets.map(\.path.bytes)) : []
        try await reader.readAll(reused: proved, only: wanted, jobs: jobs, progress: counter) {
            FileSink(target: target)
        }
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
            // A full disk may show only when closing.
            if let open = file.take() { try open.close() }
        }
    }
}
