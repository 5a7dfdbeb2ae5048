/// Hash and size of a whole file, read in pieces.
package struct FileDigest: Equatable, Sendable {
    package let sha256: Digest
    package let size: UInt64

    package init(sha256: Digest, size: UInt64) {
        self.sha256 = sha256
        self.size = size
    }

    /// Hashes a file below a directory.
    ///
    /// - Parameter limit: reading stops with `nil` as soon as the file proves longer.
    static func read(
        _ name: String, in directory: Directory, buffer: ByteBuffer, limit: UInt64 = .max
    ) throws(FileSystemError) -> FileDigest? {
        let file = try directory.openFile(name)
        var hasher = StreamHasher()
        var size: UInt64 = 0
        while true {
            let count = try unsafe file.read(into: buffer.bytes)
            if count == 0 { break }
            size += UInt64(count)
            if size > limit { return nil }
            unsafe hasher.update(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
        }
        return FileDigest(sha256: hasher.finish(), size: size)
    }
}

extension FileDigest {
    /// Hashes a whole file below a directory.
    package static func of(_ name: String, in directory: Directory) throws(FileSystemError)
        -> FileDigest
    {
        // Without a limit there is always a digest.
        try read(name, in: directory, buffer: .forReading())
            ?? FileDigest(sha256: StreamHasher().finish(), size: 0)
    }
}
