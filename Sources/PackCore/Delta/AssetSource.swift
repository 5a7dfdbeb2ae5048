package import PackGround
package import PackRelease

/// The source of a release's content: a tree, or the objects of an origin.
package struct AssetSource: Sendable {
    package let release: Release
    let directory: Directory
    let path: @Sendable (Asset) -> String

    /// A tree with the assets under their paths.
    package init(tree: Directory, release: Release) {
        self.init(release, tree) { $0.path.description }
    }

    /// A directory with the release's objects at their origin paths.
    package init(objects: Directory, release: Release) {
        self.init(release, objects, OriginLayout.objectPath)
    }

    private init(
        _ release: Release, _ directory: Directory, _ path: @escaping @Sendable (Asset) -> String
    ) {
        self.release = release
        self.directory = directory
        self.path = path
    }

    /// Reads an asset piece by piece.
    ///
    /// - Parameters:
    ///   - buffer: The memory for pieces.
    ///   - piece: Receives each piece; the bytes are valid during the call.
    /// - Throws: ``Failure``; ``Failure/buildChangedWhileRead(path:)`` if the asset does not
    ///   match the release.
    func read(
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
    func bytes(_ asset: Asset, at offset: Int, count: Int) throws -> [UInt8] {
        let bytes = try directory.openFile(path(asset)).bytes(at: UInt64(offset), count: count)
        guard bytes.count == count else { throw changedWhileRead(asset) }
        return bytes
    }

    /// Reads a piece of an asset.
    func load(
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
    func copyChecked(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws {
        let digest = try FileDigest.copy(
            path(asset), in: directory, to: target, as: name, buffer: buffer, limit: asset.size)
        guard digest == FileDigest(sha256: asset.sha256, size: asset.size) else {
            throw changedWhileRead(asset)
        }
    }

    /// Copies an asset, up to its size, to a new file; the caller checks the hash.
    func copy(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws(Failure) {
        let source = try directory.openFile(path(asset))
        let copy = try target.createFile(name)
        var left = asset.size
        while left > 0 {
            let count = try buffer.read(source, atMost: left)
            if count == 0 { break }
            try buffer.withBytes(first: count) { bytes throws(Failure) in
                try copy.write(bytes)
            }
            left -= UInt64(count)
        }
        try copy.close()
    }

    /// The error for an asset not matching the release.
    func changedWhileRead(_ asset: Asset) -> Failure {
        .buildChangedWhileRead(path: directory.display(path(asset)))
    }
}
