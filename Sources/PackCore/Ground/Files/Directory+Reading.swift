import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Operations that read names, statuses, links and whole files.
extension Directory {
    /// The status of a name below this directory, without following links; `nil` if it does not
    /// exist.
    ///
    /// - Parameter name: `.` is this directory itself.
    package func status(_ name: String) throws(Failure) -> FileStatus? {
        var raw = stat()
        let result =
            name == "."
            ? unsafe fstat(descriptor, &raw)
            : unsafe cfiles_status_beneath(descriptor, name, name.utf8.count, &raw)
        if result == 0 { return FileStatus(raw) }
        if result == -1, errno == ENOENT || errno == ENOTDIR { return nil }
        throw failure("inspect", name, result)
    }

    /// The names in this directory, without `.` and `..`, sorted by bytes.
    package func names() throws(Failure) -> [[UInt8]] {
        let duplicate = Int32(retryingOnInterrupt { Int(cfiles_open_again(descriptor)) })
        guard duplicate >= 0 else { throw failure("open", "", duplicate) }
        guard let stream = unsafe fdopendir(duplicate) else {
            let number = errno
            _ = close(duplicate)
            throw Failure.fileSystem("list", path, number: number)
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw failure("list", "", -1) }
                break
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(
                    to: UInt8.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)
                ) { start in
                    unsafe Array(UnsafeBufferPointer(start: start, count: Int(systemLength(start))))
                }
            }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        return names
    }

    /// The target of a symbolic link below this directory; `nil` if there is no such link.
    package func linkTarget(_ name: String) throws(Failure) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe cfiles_read_link_beneath(
                descriptor, name, name.utf8.count, start.assumingMemoryBound(to: CChar.self),
                bytes.count)
        }
        if count >= 0 { return String(decoding: buffer.prefix(count), as: UTF8.self) }
        if count == -1, errno == ENOENT || errno == EINVAL { return nil }
        throw failure("read link", name, Int32(count))
    }

    /// Free bytes on the file system for this user.
    package func freeBytes() throws(Failure) -> UInt64 {
        var raw = statvfs()
        guard unsafe fstatvfs(descriptor, &raw) == 0 else { throw failure("inspect", "", -1) }
        // Network file systems may report any value.
        let (bytes, overflow) = UInt64(raw.f_bavail)
            .multipliedReportingOverflow(by: UInt64(raw.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether this user may add, replace and remove names in this directory.
    package func isWritable() -> Bool { cfiles_check_writable(descriptor) == 0 }

    /// Throws if this user may not change names in this directory.
    package func checkWritable() throws(Failure) {
        guard cfiles_check_writable(descriptor) == 0 else { throw failure("write", "", -1) }
    }

    /// Reads a whole file of at most `limit` bytes.
    ///
    /// - Throws: ``Failure``; `EFBIG` if the file is larger.
    package func readFile(_ name: String, limit: Int) throws(Failure) -> [UInt8] {
        try readFileAndStatus(name, limit: limit).bytes
    }

    /// Reads a whole file like ``readFile(_:limit:)``, and its status from before the first read.
    package func readFileAndStatus(
        _ name: String, limit: Int
    ) throws(Failure) -> (bytes: [UInt8], status: FileStatus) {
        let file = try openFile(name)
        let status = try file.status()
        guard status.kind == .file else {
            throw Failure.fileSystem("read", display(name), number: EINVAL)
        }
        guard status.size <= UInt64(limit) else {
            throw Failure.fileSystem("read", display(name), number: EFBIG)
        }
        // One byte more than the file's size, so that a growing file does not pass as complete.
        let bytes = try file.bytes(at: 0, count: Int(status.size) + 1)
        guard bytes.count <= limit else {
            throw Failure.fileSystem("read", display(name), number: EFBIG)
        }
        return (bytes, status)
    }
}

private func systemLength(_ text: UnsafePointer<UInt8>) -> Int {
    unsafe strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
}
