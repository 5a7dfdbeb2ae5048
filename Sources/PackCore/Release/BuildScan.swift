package import PackGround

/// A build output and the hashes of its files.
package struct BuildScan: Sendable {
    /// The build output.
    package let directory: Directory
    package let release: Release
    /// CRC-32 of each asset, in listing order: zip needs it, and it costs almost nothing here.
    package let checksums: [UInt32]
    /// The files left out of hash and package.
    package let leftOut: LeftOut

    /// The largest size of a release in bytes, also the limit for reading a package.
    package static let sizeLimit: UInt64 = 16 << 30
    /// The largest size of a file in bytes.
    package static let fileLimit: UInt64 = 2 << 30

    /// Walks a build output and hashes its files in parallel.
    ///
    /// - Parameters:
    ///   - exclusions: Patterns of files to leave out.
    ///   - jobs: The number of files to read at a time.
    /// - Throws: ``RefusedNames``, ``FileSystemError``, ``BuildError``.
    package static func scan(
        _ path: String, excluding exclusions: Exclusions = Exclusions(), jobs: Int,
        progress: ProgressSink? = nil
    ) async throws -> BuildScan {
        let directory = try Directory.open(path)
        let tree = try FileTree.walk(directory, excluding: exclusions)
        guard !tree.files.isEmpty else {
            throw tree.leftOut.excluded.isEmpty
                ? BuildError.empty(path: path) : BuildError.allExcluded(path: path)
        }
        try checkSize(tree.files.map { ($0.path, $0.size) }, of: directory)
        let counter = ProgressCounter(phase: .hashing, total: tree.totalBytes, sink: progress)
        let hashes = try await mapInParallel(
            count: tree.files.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let file = tree.files[index]
            let hash = try hashFile(file, in: directory, buffer: buffer)
            counter.add(file.size)
            return hash
        }
        let assets = zip(tree.files, hashes).map {
            Asset(path: $0.path, size: $0.size, sha256: $1.sha256)
        }
        return BuildScan(
            directory: directory, release: Release(assets: assets),
            checksums: hashes.map(\.checksum), leftOut: tree.leftOut)
    }

    /// Checks the total size of a build and the size of each file.
    ///
    /// - Throws: ``BuildError/tooLarge(path:size:limit:)``, ``BuildError/fileTooLarge(path:size:limit:)``.
    package static func checkSize(
        _ files: [(path: AssetPath, size: UInt64)], of directory: Directory
    ) throws(BuildError) {
        let size = files.clampedSum { $0.size }
        guard size <= sizeLimit else {
            throw .tooLarge(path: directory.path, size: size, limit: sizeLimit)
        }
        guard let file = files.first(where: { $0.size > fileLimit }) else { return }
        throw .fileTooLarge(
            path: directory.display(file.path.description), size: file.size, limit: fileLimit)
    }

    private static func hashFile(
        _ expected: FileTree.File, in directory: Directory, buffer: ByteBuffer
    ) throws -> (sha256: Digest, checksum: UInt32) {
        CurrentFile.begin(expected.path)
        defer { CurrentFile.end() }
        let name = expected.path.description
        let file = try directory.openFile(name)
        let before = try file.status()
        var hasher = StreamHasher()
        var checksum = Checksum()
        var size: UInt64 = 0
        // Read to the end, not only to the size: files in /proc and /sys have content beyond their
        // size.
        while size <= before.size {
            let count = try buffer.read(file)
            if count == 0 { break }
            buffer.withBytes(first: count) { piece in
                hasher.update(piece)
                checksum.update(piece)
            }
            size += UInt64(count)
        }
        guard before.kind == .file, before.size == expected.size, try file.status() == before else {
            throw BuildError.changedWhileRead(path: directory.display(name))
        }
        guard size == before.size else {
            throw BuildError.contentBeyondSize(path: directory.display(name))
        }
        return (hasher.finish(), checksum.value)
    }
}

/// A build output that cannot be used.
package enum BuildError: Remedied, Equatable {
    case empty(path: String)
    /// Every file matches a pattern of `exclude`.
    case allExcluded(path: String)
    case changedWhileRead(path: String)
    case contentBeyondSize(path: String)
    case tooLarge(path: String, size: UInt64, limit: UInt64)
    case fileTooLarge(path: String, size: UInt64, limit: UInt64)

    package var code: String {
        switch self {
        case .empty: "build.empty"
        case .allExcluded: "build.all-excluded"
        case .changedWhileRead: "build.changed-while-read"
        case .contentBeyondSize: "build.content-beyond-size"
        case .tooLarge: "build.too-large"
        case .fileTooLarge: "build.file-too-large"
        }
    }

    package var description: String {
        switch self {
        case .empty(let path): "the build output '\(path)' contains no files"
        case .allExcluded(let path):
            "every file of the build output '\(path)' is excluded"
        case .changedWhileRead(let path): "'\(path)' changed while it was read"
        case .contentBeyondSize(let path): "the content of '\(path)' does not match its file size"
        case .tooLarge(let path, let size, let limit):
            "the build output '\(path)' has \(readableSize(size)); the limit for a release is \(readableSize(limit))"
        case .fileTooLarge(let path, let size, let limit):
            "'\(path)' has \(readableSize(size)); the limit for a file is \(readableSize(limit))"
        }
    }

    package var unaffected: String? { "existing files; nothing was published or overwritten" }

    package var remedy: String {
        switch self {
        case .empty: "run the front-end build first, or name its output directory"
        case .allExcluded:
            "remove the pattern that matches too much from 'exclude:' in packtool.yaml or --exclude"
        case .changedWhileRead:
            "wait until the build has finished (or stop its watch mode), then run the command again"
        case .contentBeyondSize:
            """
            copy the build to an ordinary directory (not under /proc or /sys), then run the \
            command again
            """
        case .tooLarge, .fileTooLarge:
            "list what apps do not need offline under 'exclude:' in packtool.yaml; a sparse file counts with its full size"
        }
    }
}
