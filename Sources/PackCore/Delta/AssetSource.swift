package import PackGround
package import PackRelease

/// The source of a release's content: a tree, or the objects of an origin.
package struct AssetSource: Sendable {
    package let release: Release
    let directory: Directory
    let path: @Sendable (Asset) -> String
    /// The verified edition of each file, in listing order; empty if unknown.
    let editions: [FileStatus.Edition]

    /// A scanned tree, whose files can be linked.
    package init(_ scan: BuildScan) {
        self.init(tree: scan.directory, release: scan.release, editions: scan.editions)
    }

    /// A tree with the assets under their paths.
    ///
    /// - Parameter editions: The verified edition of each file, in listing order; empty if unknown.
    package init(tree: Directory, release: Release, editions: [FileStatus.Edition] = []) {
        self.init(release, tree, editions) { $0.path.description }
    }

    /// A directory with the release's objects at their origin paths.
    package init(objects: Directory, release: Release) {
        self.init(release, objects, [], OriginLayout.objectPath)
    }

    private init(
        _ release: Release, _ directory: Directory, _ editions: [FileStatus.Edition],
        _ path: @escaping @Sendable (Asset) -> String
    ) {
        self.release = release
        self.directory = directory
        self.editions = editions
        self.path = path
    }

    /// Reads an asset piece by piece.
    ///
    /// - Parameters:
    ///   - buffer: The memory for pieces.
    ///   - piece: Receives each piece; the bytes are valid during the call.
    /// - Throws: ``Failure``; ``Failure/buildChangedWhileRead(path:)`` if the asset does not
    ///   match the release.
    package func read(
        _ asset: Asset, through buffer: ByteBuffer, piece: (RawSpan) throws -> Void
    ) throws {
        let file = try directory.openFile(path(asset))
        let status = try file.status()
        guard status.kind == .file, status.size == asset.size else { throw changedWhileRead(asset) }
        var hasher = StreamHasher()
        var size: UInt64 = 0
        while true {
            let count = try buffer.read(file)
            if count == 0 { break }
            size = size.addingClamped(UInt64(count))
            guard size <= asset.size else { throw changedWhileRead(asset) }
            try buffer.withBytes(first: count) { bytes in
                hasher.update(bytes)
                try piece(bytes)
            }
        }
        guard size == asset.size, hasher.finish() == asset.sha256 else {
            throw changedWhileRead(asset)
        }
    }

    /// Reads a piece of an asset.
    ///
    /// - Parameter count: The number of bytes; must not come from a manifest.
    package func bytes(_ asset: Asset, at offset: Int, count: Int) throws -> [UInt8] {
        let bytes = try directory.openFile(path(asset)).bytes(at: UInt64(offset), count: count)
        guard bytes.count == count else { throw changedWhileRead(asset) }
        return bytes
    }

    /// Reads a piece of an asset.
    package func load(
        _ asset: Asset, at offset: Int, into buffer: inout MutableRawSpan
    ) throws {
        let file = try directory.openFile(path(asset))
        let size = buffer.byteCount
        let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
            try unsafe file.fill(bytes, at: UInt64(clamping: offset))
        }
        guard count == size else { throw changedWhileRead(asset) }
    }

    /// Copies an asset to a new file and checks its hash on the way.
    package func copyChecked(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws {
        let digest = try FileDigest.copy(
            path(asset), in: directory, to: target, as: name, buffer: buffer, limit: asset.size)
        guard digest == FileDigest(sha256: asset.sha256, size: asset.size) else {
            throw changedWhileRead(asset)
        }
    }

    /// Creates a read-only hard link to an asset, or a copy if there can be no link.
    ///
    /// Without a link, the file may be on another file system, belong to another user, have too
    /// many links, or have changed since it was hashed.
    private func link(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws -> FileStatus.Edition? {
        if let index = release.assets.index(of: asset.path), editions.indices.contains(index),
            (try? directory.link(path(asset), to: target, as: name)) == true
        {
            if let status = try target.status(name), status.edition == editions[index] {
                if status.isWritable { target.makeReadOnly(name) }
                return status.edition
            }
            try target.removeFile(name)
        }
        try copyChecked(asset, to: target, as: name, buffer: buffer)
        target.makeReadOnly(name)
        return try target.status(name)?.edition
    }

    /// Creates copies of assets, or read-only hard links to them, as new files.
    ///
    /// - Parameters:
    ///   - files: Assets with their new paths, whose directories must exist.
    ///   - isLinking: Whether to create links; a later edit would change both files.
    /// - Returns: The verified edition of each link; empty for copies.
    /// - Throws: ``Failure``; ``Failure/buildChangedWhileRead(path:)`` if an asset does not match
    ///   the release.
    @discardableResult
    package func copy(
        _ files: [(asset: Asset, path: AssetPath)], to target: Directory, isLinking: Bool,
        jobs: Int, progress: ProgressSink? = nil
    ) async throws -> [FileStatus.Edition] {
        let counter = ProgressCounter(
            phase: .installing, total: files.clampedSum { $0.asset.size }, sink: progress)
        return try await mapInParallel(
            count: files.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> FileStatus.Edition? in
            let (asset, path) = files[index]
            CurrentFile.begin(path)
            defer {
                counter.add(asset.size)
                CurrentFile.end()
            }
            if isLinking {
                return try link(asset, to: target, as: path.description, buffer: buffer)
            }
            try copyChecked(asset, to: target, as: path.description, buffer: buffer)
            return nil
        }.compactMap { $0 }
    }

    /// The error for an asset not matching the release.
    package func changedWhileRead(_ asset: Asset) -> Failure {
        .buildChangedWhileRead(path: directory.display(path(asset)))
    }
}
