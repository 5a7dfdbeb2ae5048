/// Where the content of a release's assets can be read: a tree, or the objects of an origin.
package struct AssetSource: Sendable {
    package let release: Release
    let directory: Directory
    let place: @Sendable (Asset) -> String

    /// A tree with the assets under their paths.
    package init(tree: Directory, release: Release) {
        self.init(release, tree) { $0.path.description }
    }

    /// The objects of an origin.
    package init(origin: Directory, release: Release) {
        self.init(release, origin) {
            String(decoding: OriginLayout.object($0).bytes, as: UTF8.self)
        }
    }

    private init(
        _ release: Release, _ directory: Directory, _ place: @escaping @Sendable (Asset) -> String
    ) {
        self.release = release
        self.directory = directory
        self.place = place
    }

    /// Reads a whole asset.
    ///
    /// - Throws: ``FileSystemError``; ``BuildError/changedWhileRead(path:)`` where it is not what the
    ///   release says.
    func content(_ asset: Asset) throws -> [UInt8] {
        let bytes = try directory.openFile(place(asset)).bytes(at: 0, count: Int(asset.size) + 1)
        guard bytes.count == asset.size, StreamHasher.digest(of: bytes) == asset.sha256 else {
            throw changedWhileRead(asset)
        }
        return bytes
    }

    /// Reads a piece of an asset.
    func load(
        _ asset: Asset, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws {
        let file = try directory.openFile(place(asset))
        var filled = 0
        while filled < buffer.count {
            let count = try unsafe file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]),
                at: UInt64(offset + filled))
            if count == 0 { throw changedWhileRead(asset) }
            filled += count
        }
    }

    /// Copies an asset to a new file and checks its hash on the way.
    func copyChecked(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws {
        let digest = try FileDigest.copy(
            place(asset), in: directory, to: target, as: name, buffer: buffer, limit: asset.size)
        guard digest == FileDigest(sha256: asset.sha256, size: asset.size) else {
            throw changedWhileRead(asset)
        }
    }

    /// Copies as many bytes as an asset has to a new file, whose hash is for the caller to check.
    func copy(
        _ asset: Asset, to target: Directory, as name: String, buffer: ByteBuffer
    ) throws(FileSystemError) {
        let source = try directory.openFile(place(asset))
        let copy = try target.createFile(name)
        var left = asset.size
        while left > 0 {
            let count = try buffer.read(source, atMost: left)
            if count == 0 { break }
            try buffer.withBytes(first: count) { bytes throws(FileSystemError) in
                try copy.write(bytes)
            }
            left -= UInt64(count)
        }
        try copy.close()
    }

    /// What to throw where an asset proves not to be what the release says.
    func changedWhileRead(_ asset: Asset) -> BuildError {
        .changedWhileRead(path: directory.display(place(asset)))
    }
}
