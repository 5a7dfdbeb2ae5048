import CArchive

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open file with one owner.
///
/// Leaving its scope closes it; ``close()`` also reports what closing said, which a writer must
/// know (a full disk may show only there).
package struct OwnedDescriptor: ~Copyable {
    /// The descriptor's number, or -1 once closed.
    private(set) var number: Int32
    /// The path it was opened by, for messages.
    package let path: String

    init(adopting number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { _ = systemClose(number) }
    }

    /// Closes the file and reports a failure to do so.
    package consuming func close() throws(FileSystemError) {
        let closing = number
        number = -1
        // Not repeated after EINTR: on Linux the descriptor is gone even then.
        if systemClose(closing) != 0, errno != EINTR {
            throw FileSystemError(operation: "close", path: path, number: errno)
        }
    }

    /// Size, kind and times of the open file.
    package func status() throws(FileSystemError) -> FileStatus {
        var raw = stat()
        guard unsafe fstat(number, &raw) == 0 else { throw failure("inspect") }
        return FileStatus(raw)
    }

    /// Reads up to `buffer.count` bytes; 0 means the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int {
        let count = retryingOnInterrupt {
            unsafe systemRead(number, buffer.baseAddress, buffer.count)
        }
        guard count >= 0 else { throw failure("read") }
        return count
    }

    /// Reads up to `buffer.count` bytes at an offset; 0 means the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
        guard let position = off_t(exactly: offset) else { throw failure("read", EINVAL) }
        let count = retryingOnInterrupt {
            unsafe pread(number, buffer.baseAddress, buffer.count, position)
        }
        guard count >= 0 else { throw failure("read") }
        return count
    }

    /// Reads exactly `count` bytes at an offset; fewer where the file ends before.
    package func bytes(at offset: UInt64, count: Int) throws(FileSystemError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        let filled = try unsafe result.withUnsafeMutableBufferPointer {
            buffer throws(FileSystemError) in
            try unsafe fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        if filled < count { result.removeLast(count - filled) }
        return result
    }

    /// Fills a buffer from an offset on.
    ///
    /// - Returns: how many bytes were read; fewer than asked for only where the file ends before.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try unsafe read(into: rest, at: offset + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes at the current position.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = retryingOnInterrupt {
                unsafe systemWrite(number, rest.baseAddress, rest.count)
            }
            guard count > 0 else { throw failure("write", count == 0 ? ENOSPC : errno) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes all bytes at the current position.
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(FileSystemError) in
            try unsafe write(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Writes all bytes at an offset, leaving the current position.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(FileSystemError) {
        guard let start = off_t(exactly: offset) else { throw failure("write", EFBIG) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                retryingOnInterrupt {
                    unsafe pwrite(
                        number, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                        start + off_t(done))
                }
            }
            guard count > 0 else { throw failure("write", count == 0 ? ENOSPC : errno) }
            done += count
        }
    }

    /// Moves the current position and, with `truncating`, ends the file there.
    func seek(to offset: UInt64, truncating: Bool) throws(FileSystemError) {
        guard let position = off_t(exactly: offset) else { throw failure("seek", EFBIG) }
        guard lseek(number, position, SEEK_SET) >= 0 else { throw failure("seek") }
        if truncating, retryingOnInterrupt({ Int(ftruncate(number, position)) }) != 0 {
            throw failure("shorten")
        }
    }

    /// Makes the file's content durable.
    package func sync() throws(FileSystemError) {
        guard retryingOnInterrupt({ Int(carchive_sync(number)) }) == 0 else {
            throw failure("sync")
        }
    }

    func failure(_ operation: String, _ code: Int32? = nil) -> FileSystemError {
        FileSystemError(operation: operation, path: path, number: code ?? errno)
    }
}

// The methods above share their names with the C functions, so these are named apart.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
    unsafe read(descriptor, base, count)
}

private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, base, count)
}
