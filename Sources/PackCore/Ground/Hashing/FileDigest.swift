/// Hash and size of a whole file, read in pieces.
package struct FileDigest: Equatable, Sendable {
    package let sha256: Digest
    package let size: UInt64

    package init(sha256: Digest, size: UInt64) {
        self.sha256 = sha256
        self.size = size
    }

    /// Hash and size of some bytes.
    package init(of bytes: [UInt8]) {
        self.init(sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
    }

    /// Hashes a file below a directory.
    ///
    /// - Parameter limit: The largest size in bytes; the result is `nil` if the file is longer.
    package static func read(
        _ name: String, in directory: Directory, buffer: ByteBuffer, limit: UInt64 = .max
    ) throws(Failure) -> FileDigest? {
        try read(name, in: directory, buffer: buffer, limit: limit) { _ in }
    }

    /// Hashes a file and passes every piece within the limit to `receive`, in order.
    package static func read(
        _ name: String, in directory: Directory, buffer: ByteBuffer, limit: UInt64,
        receive: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) -> FileDigest? {
        let file = try directory.openFile(name)
        var hasher = StreamHasher()
        var size: UInt64 = 0
        while true {
            let count = try buffer.read(file)
            if count == 0 { break }
            size = size.addingClamped(UInt64(count))
            if size > limit { return nil }
            try buffer.withBytes(first: count) { piece throws(Failure) in
                hasher.update(piece)
                try receive(piece)
            }
        }
        return FileDigest(sha256: hasher.finish(), size: size)
    }

    /// Copies a file to a new one and hashes it on the way.
    ///
    /// - Parameters:
    ///   - limit: The largest size in bytes; if the file is longer, the result is `nil` and the
    ///     partial copy stays.
    ///   - isSynced: Whether to make the copy durable at once.
    package static func copy(
        _ name: String, in directory: Directory, to target: Directory, as newName: String,
        buffer: ByteBuffer, limit: UInt64 = .max, isSynced: Bool = false
    ) throws(Failure) -> FileDigest? {
        let file = try target.createFile(newName)
        let digest = try read(name, in: directory, buffer: buffer, limit: limit) {
            piece throws(Failure) in
            try file.write(piece)
        }
        if isSynced { try file.sync() }
        try file.close()
        return digest
    }
}

extension FileDigest {
    /// Hashes a whole file below a directory.
    package static func of(_ name: String, in directory: Directory) throws(Failure)
        -> FileDigest
    {
        // Without a limit there is always a digest.
        try read(name, in: directory, buffer: .forReading())
            ?? FileDigest(sha256: StreamHasher().finish(), size: 0)
    }
}

extension Directory {
    /// Whether a path is a regular file of this size and content.
    ///
    /// Opens only regular files and reads no more than the expected size, so a device, a pipe or a
    /// huge sparse file under one of our names cannot block the caller.
    package func holds(
        _ content: FileDigest, at path: String, buffer: ByteBuffer = .forReading()
    ) throws(Failure) -> Bool {
        guard let status = try status(path), status.kind == .file, status.size == content.size
        else { return false }
        return try FileDigest.read(path, in: self, buffer: buffer, limit: content.size) == content
    }
}
