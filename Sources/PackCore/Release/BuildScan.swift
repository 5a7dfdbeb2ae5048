package import PackGround

/// A build output and the hashes of its files.
package struct BuildScan: Sendable {
    /// The build output.
    package let directory: Directory
    package let release: Release
    /// CRC-32 of each asset, in listing order: zip needs it, and it costs almost nothing here.
    package let checksums: [UInt32]
    /// The hashed edition of each asset's file, in listing order.
    package let editions: [FileStatus.Edition]
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
    ///   - hashes: Those of earlier scans of the directory; `nil` reads every file.
    ///   - jobs: The number of files to read at a time.
    /// - Throws: ``Failure``.
    package static func scan(
        _ path: String, excluding exclusions: Exclusions = Exclusions(),
        hashes known: HashCache? = nil, jobs: Int, progress: ProgressSink? = nil
    ) async throws -> BuildScan {
        let directory = try Directory.open(path)
        let tree = try FileTree.walk(directory, excluding: exclusions)
        guard !tree.files.isEmpty else {
            throw tree.leftOut.excluded.isEmpty
                ? Failure.buildEmpty(path: path) : Failure.buildAllExcluded(path: path)
        }
        try checkSize(tree.files.map { ($0.path, $0.size) }, of: directory)
        let counter = ProgressCounter(phase: .hashing, total: tree.totalBytes, sink: progress)
        let hashes = try await mapInParallel(
            count: tree.files.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> (content: HashCache.Content, edition: FileStatus.Edition) in
            let file = tree.files[index]
            defer { counter.add(file.size) }
            if let content = known?.content(of: file.status, named: file.path.bytes) {
                return (content, file.status.edition)
            }
            return try hashFile(file, in: directory, known, buffer: buffer)
        }
        let assets = zip(tree.files, hashes).map {
            Asset(path: $0.path, size: $0.size, sha256: $1.content.sha256)
        }
        return BuildScan(
            directory: directory, release: Release(assets: assets),
            checksums: hashes.map(\.content.checksum), editions: hashes.map(\.edition),
            leftOut: tree.leftOut)
    }

    /// Checks the total size of a build and the size of each file.
    ///
    /// - Throws: ``Failure/buildTooLarge(path:size:limit:)``, ``Failure/buildFileTooLarge(path:size:limit:)``.
    package static func checkSize(
        _ files: [(path: AssetPath, size: UInt64)], of directory: Directory
    ) throws(Failure) {
        let size = files.clampedSum { $0.size }
        guard size <= sizeLimit else {
            throw .buildTooLarge(path: directory.path, size: size, limit: sizeLimit)
        }
        guard let file = files.first(where: { $0.size > fileLimit }) else { return }
        throw .buildFileTooLarge(
            path: directory.display(file.path.description), size: file.size, limit: fileLimit)
    }

    private static func hashFile(
        _ expected: FileTree.File, in directory: Directory, _ known: HashCache?,
        buffer: ByteBuffer
    ) throws -> (content: HashCache.Content, edition: FileStatus.Edition) {
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
            throw Failure.buildChangedWhileRead(path: directory.display(name))
        }
        guard size == before.size else {
            throw Failure.buildContentBeyondSize(path: directory.display(name))
        }
        let content = HashCache.Content(sha256: hasher.finish(), checksum: checksum.value)
        known?.add(content, of: before, named: expected.path.bytes)
        return (content, before.edition)
    }
}

extension Failure.Code {
    package static let buildEmpty = Self("build.empty")
    package static let buildAllExcluded = Self("build.all-excluded")
    package static let buildChangedWhileRead = Self("build.changed-while-read")
    package static let buildContentBeyondSize = Self("build.content-beyond-size")
    package static let buildTooLarge = Self("build.too-large")
    package static let buildFileTooLarge = Self("build.file-too-large")
}

/// A build output that cannot be used.
extension Failure {
    package static func buildEmpty(path: String) -> Failure {
        build(.buildEmpty, "the build output '\(path)' contains no files")
    }

    /// Every file matches a pattern of `exclude`.
    package static func buildAllExcluded(path: String) -> Failure {
        build(.buildAllExcluded, "every file of the build output '\(path)' is excluded")
    }

    package static func buildChangedWhileRead(path: String) -> Failure {
        build(.buildChangedWhileRead, "'\(path)' changed while it was read")
    }

    package static func buildContentBeyondSize(path: String) -> Failure {
        build(
            .buildContentBeyondSize, "the content of '\(path)' does not match its file size")
    }

    package static func buildTooLarge(path: String, size: UInt64, limit: UInt64) -> Failure {
        build(
            .buildTooLarge,
            "the build output '\(path)' has \(readableSize(size)); "
                + "the limit for a release is \(readableSize(limit))")
    }

    package static func buildFileTooLarge(path: String, size: UInt64, limit: UInt64) -> Failure {
        build(
            .buildFileTooLarge,
            "'\(path)' has \(readableSize(size)); the limit for a file is \(readableSize(limit))")
    }

    private static func build(_ code: Code, _ description: String) -> Failure {
        Failure(
            code, description,
            unaffected: "existing files; nothing was published or overwritten")
    }
}
