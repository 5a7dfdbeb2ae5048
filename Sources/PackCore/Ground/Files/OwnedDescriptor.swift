import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open file with one owner.
///
/// The end of its scope closes the file. Writers must call ``close()`` instead, which reports
/// errors: a full disk may show only there.
package struct OwnedDescriptor: ~Copyable {
    /// The descriptor's number, or -1 once closed.
    package private(set) var number: Int32
    /// The path used to open it, for messages.
    package let path: String

    init(adopting number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { _ = systemClose(number) }
    }

    /// Closes the file and reports a failure.
    package consuming func close() throws(Failure) {
        let closing = number
        number = -1
        // Not repeated after EINTR: on Linux the descriptor is closed even then.
        if systemClose(closing) != 0, errno != EINTR {
            throw Failure.fileSystem("close", path, number: errno)
        }
    }

    /// Size, kind and times of the open file.
    package func status() throws(Failure) -> FileStatus {
        var raw = stat()
        guard unsafe fstat(number, &raw) == 0 else { throw failure("inspect") }
        return FileStatus(raw)
    }

    /// Reads up to the span's size; 0 means the end of the file.
    func read(into bytes: inout MutableRawSpan) throws(Failure) -> Int {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            retryingOnInterrupt { unsafe systemRead(number, buffer.baseAddress, buffer.count) }
        }
        guard count >= 0 else { throw failure("read") }
        return count
    }

    /// Reads up to the span's size at an offset; 0 means the end of the file.
    func read(
        into bytes: inout MutableRawSpan, at offset: UInt64
    ) throws(Failure) -> Int {
        guard let position = off_t(exactly: offset) else { throw failure("read", EINVAL) }
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            retryingOnInterrupt {
                unsafe pread(number, buffer.baseAddress, buffer.count, position)
            }
        }
        guard count >= 0 else { throw failure("read") }
        return count
    }

    /// Fills raw memory of the delta decoder from an offset.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
    package func fill(
        _ bytes: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(Failure) -> Int {
        var span = unsafe MutableRawSpan(_unsafeBytes: bytes)
        return try fill(&span, at: offset)
    }

    /// The largest count, in bytes, that is allocated without checking the file's size.
    private static let unaskedCount = 1 << 20

    /// Reads `count` bytes at an offset; fewer only if the file ends earlier.
    ///
    /// It allocates no more than the file's size, even for a larger `count`. Callers must still
    /// bound `count`: a sparse file can claim exabytes.
    package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
        var room = max(0, count)
        if room > Self.unaskedCount {
            let size = try status().size
            // One byte more than the file's size, so that callers reading past the end notice a
            // growing file.
            room = min(room, Int(clamping: size > offset ? size - offset : 0).addingClamped(1))
        }
        var result = [UInt8](repeating: 0, count: room)
        var span = result.mutableSpan
        var bytes = unsafe span.mutableBytes
        let filled = try fill(&bytes, at: offset)
        if filled < room { result.removeLast(room - filled) }
        return result
    }

    /// Fills a span from an offset.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
    package func fill(_ bytes: inout MutableRawSpan, at offset: UInt64) throws(Failure)
        -> Int
    {
        var filled = 0
        while filled < bytes.byteCount {
            var rest = bytes._mutatingExtracting(filled...)
            let count = try read(into: &rest, at: offset.addingClamped(UInt64(filled)))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Fills a span from the current position.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end of the file.
    package func fill(_ bytes: inout MutableRawSpan) throws(Failure) -> Int {
        var filled = 0
        while filled < bytes.byteCount {
            var rest = bytes._mutatingExtracting(filled...)
            let count = try read(into: &rest)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes at the current position.
    package func write(_ bytes: RawSpan) throws(Failure) {
        var done = 0
        while done < bytes.byteCount {
            let count = unsafe bytes.extracting(done...).withUnsafeBytes { rest in
                retryingOnInterrupt { unsafe systemWrite(number, rest.baseAddress, rest.count) }
            }
            guard count > 0 else { throw failure("write", count == 0 ? ENOSPC : errno) }
            done += count
        }
    }

    /// Writes all bytes at the current position.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try unsafe write(bytes.span.bytes)
    }

    /// Writes all bytes at an offset, keeping the current position.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(Failure) {
        guard let start = off_t(exactly: offset) else { throw failure("write", EFBIG) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.span.bytes.extracting(done...).withUnsafeBytes { rest in
                retryingOnInterrupt {
                    unsafe pwrite(number, rest.baseAddress, rest.count, start + off_t(done))
                }
            }
            guard count > 0 else { throw failure("write", count == 0 ? ENOSPC : errno) }
            done += count
        }
    }

    /// Moves the current position; with `truncating`, also truncates the file there.
    package func seek(to offset: UInt64, truncating: Bool) throws(Failure) {
        guard let position = off_t(exactly: offset) else { throw failure("seek", EFBIG) }
        guard lseek(number, position, SEEK_SET) >= 0 else { throw failure("seek") }
        if truncating, retryingOnInterrupt({ Int(ftruncate(number, position)) }) != 0 {
            throw failure("shorten")
        }
    }

    /// Copies the permissions of another file.
    package func copyPermissions(of other: FileStatus) throws(Failure) {
        guard fchmod(number, other.permissions) == 0 else { throw failure("change mode") }
    }

    /// Removes all permissions to write.
    func makeReadOnly() throws(Failure) {
        guard fchmod(number, try status().permissions & ~0o222) == 0 else {
            throw failure("change mode")
        }
    }

    /// Makes the file's content durable.
    package func sync() throws(Failure) {
        guard retryingOnInterrupt({ Int(cfiles_sync(number)) }) == 0 else {
            throw failure("sync")
        }
    }

    /// Sets the modification time of the content, in seconds since 1970.
    package func setModified(seconds: Int) throws(Failure) {
        guard cfiles_set_time(number, seconds) == 0 else { throw failure("set the time of") }
    }

    func failure(_ operation: String, _ code: Int32? = nil) -> Failure {
        Failure.fileSystem(operation, path, number: code ?? errno)
    }
}

// Wrappers, because the methods above shadow the C functions of the same names.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
    unsafe read(descriptor, base, count)
}

private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, base, count)
}
