import CArchive

/// A build output, walked and hashed.
package struct BuildScan: Sendable {
    /// The build output.
    package let directory: Directory
    package let release: Release
    /// CRC-32 of each asset, in listing order: the zip needs it, and it costs next to nothing here.
    package let checksums: [UInt32]
    /// Junk that was left out of hash and package alike.
    package let junk: [String]

    /// Walks a build output and hashes its files in parallel.
    ///
    /// - Parameter jobs: how many files are read at a time.
    /// - Throws: ``RefusedNames``, ``FileSystemError``, ``BuildError``.
    package static func scan(
        _ path: String, jobs: Int, progress: ProgressSink? = nil
    ) async throws -> BuildScan {
        let directory = try Directory.open(path)
        let tree = try FileTree.walk(directory)
        guard !tree.files.isEmpty else { throw BuildError.empty(path: path) }
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
            checksums: hashes.map(\.checksum), junk: tree.junk)
    }

    private static func hashFile(
        _ expected: FileTree.File, in directory: Directory, buffer: ByteBuffer
    ) throws -> (sha256: Digest, checksum: UInt32) {
        let name = expected.path.description
        let file = try directory.openFile(name)
        let before = try file.status()
        var hasher = StreamHasher()
        var checksum: UInt32 = 0
        var size: UInt64 = 0
        // The status afterwards tells of growth, so no call is spent on finding the end.
        while size < before.size {
            let count = try unsafe file.read(into: buffer.bytes)
            if count == 0 { break }
            let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
            unsafe hasher.update(piece)
            checksum = unsafe libdeflate_crc32(checksum, piece.baseAddress, count)
            size += UInt64(count)
        }
        guard before.kind == .file, size == expected.size, try file.status() == before else {
            throw BuildError.changedWhileRead(path: directory.display(name))
        }
        return (hasher.finish(), checksum)
    }
}

/// A build output that cannot be used.
package enum BuildError: Remedied, Equatable {
    case empty(path: String)
    case changedWhileRead(path: String)

    package var code: String {
        switch self {
        case .empty: "build.empty"
        case .changedWhileRead: "build.changed-while-read"
        }
    }

    package var description: String {
        switch self {
        case .empty(let path): "the build output '\(path)' holds no files"
        case .changedWhileRead(let path): "'\(path)' changed while it was read"
        }
    }

    package var stillValid: String? { "nothing was published or overwritten" }

    package var remedy: String {
        switch self {
        case .empty: "run the front-end build first, or name its output directory"
        case .changedWhileRead:
            "wait until the build has ended (or stop its watch mode), then run the command again"
        }
    }
}
