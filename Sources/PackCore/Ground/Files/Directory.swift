import CArchive

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open directory: every operation is relative to it and never follows a symbolic link below it.
///
/// A class, so that parallel tasks can share the one descriptor; it has no other state.
package final class Directory: Sendable {
    private let descriptor: Int32
    /// The path it was opened by, for messages.
    package let path: String

    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// For the calls in other files of this folder.
    var number: Int32 { descriptor }

    /// Opens an existing directory by a path that a user gave, following links in it.
    package static func open(_ path: String) throws(FileSystemError) -> Directory {
        let number = Int32(
            retryingOnInterrupt {
                unsafe Int(carchive_open(path, path.utf8.count, O_RDONLY | O_DIRECTORY))
            })
        guard number >= 0 else { throw FileSystemError("open", path, result: number) }
        return Directory(adopting: number, path: path)
    }

    /// Opens a directory that a user named; `nil` if it does not exist.
    package static func openIfPresent(_ path: String) throws(FileSystemError) -> Directory? {
        do {
            return try open(path)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a directory that a user named, creating it and its parents if they are missing; the
    /// parents' entries are made durable too.
    package static func openOrCreate(_ path: String) throws(FileSystemError) -> Directory {
        var made: [String] = []
        return try openOrCreate(path, made: &made)
    }

    /// Opens or creates a directory as ``openOrCreate(_:)`` does.
    ///
    /// - Parameter made: Gets the path of every new directory, a parent before its children, even
    ///   if a later one could not be created.
    package static func openOrCreate(
        _ path: String, made: inout [String]
    ) throws(FileSystemError) -> Directory {
        do {
            return try open(path)
        } catch {
            // If something else has the name, creating the directory reports it.
            if error.isRefusedName { throw error }
        }
        var prefix = ""
        for component in path.split(separator: "/", omittingEmptySubsequences: false) {
            prefix += prefix.isEmpty && !path.hasPrefix("/") ? String(component) : "/" + component
            while prefix.hasPrefix("//") { prefix.removeFirst() }
            if prefix.isEmpty || prefix == "/" { continue }
            if unsafe carchive_make_directory(prefix) == 0 {
                made.append(prefix)
                try parent(of: prefix).sync()
            } else if errno != EEXIST {
                // All that matters is whether the whole path opens in the end.
                let number = errno
                if (try? open(prefix)) == nil {
                    throw FileSystemError(operation: "make directory", path: prefix, number: number)
                }
            }
        }
        return try open(path)
    }

    /// Removes directories that a run created and could not use: the last one first, and only if
    /// empty.
    package static func removeUnused(_ made: [String]) {
        for path in made.reversed() { unsafe carchive_remove_directory(path) }
    }

    private static func parent(of path: String) throws(FileSystemError) -> Directory {
        guard let slash = path.lastIndex(of: "/") else { return try open(".") }
        return try open(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    // MARK: Opening

    /// Opens a directory below this one.
    package func directory(_ name: String) throws(FileSystemError) -> Directory {
        let number = try openBeneath(name, flags: O_RDONLY | O_DIRECTORY, mode: 0)
        return Directory(adopting: number, path: display(name))
    }

    /// Opens this directory again under another name for messages.
    func reopened(shownAs name: String) throws(FileSystemError) -> Directory {
        let number = Int32(retryingOnInterrupt { Int(carchive_open_again(descriptor)) })
        guard number >= 0 else { throw failure("open", "", number) }
        return Directory(adopting: number, path: name)
    }

    /// Opens a file below this directory for reading.
    ///
    /// Opened without blocking: a pipe in place of a file must not block the tool.
    package func openFile(_ name: String) throws(FileSystemError) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, mode: 0)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Creates a file below this directory; it must not exist.
    package func createFile(_ name: String) throws(FileSystemError) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Opens a file below this directory for appending.
    func openFileForAppending(_ name: String) throws(FileSystemError) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_WRONLY | O_APPEND, mode: 0)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Opens or creates a file that is locked and never replaced.
    func openLockFile(_ name: String, isNew: Bool) throws(FileSystemError) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | (isNew ? O_CREAT : 0), mode: 0o644)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// - Parameter walking: Uses the fallback for kernels without `openat2`, for tests.
    func openBeneath(
        _ name: String, flags: Int32, mode: mode_t, walking: Bool = false
    ) throws(FileSystemError) -> Int32 {
        let call = walking ? unsafe carchive_open_beneath_by_walking : unsafe carchive_open_beneath
        let number = Int32(
            retryingOnInterrupt { unsafe Int(call(descriptor, name, name.utf8.count, flags, mode)) }
        )
        guard number >= 0 else { throw failure("open", name, number) }
        return number
    }

    // MARK: Looking

    /// The status of a name below this directory, without following links; `nil` if it does not
    /// exist.
    ///
    /// - Parameter name: `.` is this directory itself.
    package func status(_ name: String) throws(FileSystemError) -> FileStatus? {
        var raw = stat()
        let result =
            name == "."
            ? unsafe fstat(descriptor, &raw)
            : unsafe carchive_status_beneath(descriptor, name, name.utf8.count, &raw)
        if result == 0 { return FileStatus(raw) }
        if result == -1, errno == ENOENT || errno == ENOTDIR { return nil }
        throw failure("inspect", name, result)
    }

    /// The names in this directory, without `.` and `..`, sorted by bytes.
    package func names() throws(FileSystemError) -> [[UInt8]] {
        let duplicate = Int32(retryingOnInterrupt { Int(carchive_open_again(descriptor)) })
        guard duplicate >= 0 else { throw failure("open", "", duplicate) }
        guard let stream = unsafe fdopendir(duplicate) else {
            let number = errno
            _ = close(duplicate)
            throw FileSystemError(operation: "list", path: path, number: number)
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

    /// The target of a symbolic link below this directory; `nil` where there is none.
    package func linkTarget(_ name: String) throws(FileSystemError) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe carchive_read_link_beneath(
                descriptor, name, name.utf8.count, start.assumingMemoryBound(to: CChar.self),
                bytes.count)
        }
        if count >= 0 { return String(decoding: buffer.prefix(count), as: UTF8.self) }
        if count == -1, errno == ENOENT || errno == EINVAL { return nil }
        throw failure("read link", name, Int32(count))
    }

    /// Free bytes on the file system for this user.
    package func freeBytes() throws(FileSystemError) -> UInt64 {
        var raw = statvfs()
        guard unsafe fstatvfs(descriptor, &raw) == 0 else { throw failure("inspect", "", -1) }
        // Network file systems may report any value.
        let (bytes, overflow) = UInt64(raw.f_bavail)
            .multipliedReportingOverflow(by: UInt64(raw.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether this user may add, replace and remove names in this directory.
    func isWritable() -> Bool { carchive_check_writable(descriptor) == 0 }

    /// Checks whether names in this directory may be changed.
    package func checkWritable() throws(FileSystemError) {
        guard carchive_check_writable(descriptor) == 0 else { throw failure("write", "", -1) }
    }

    /// Reads a whole file of at most `limit` bytes.
    ///
    /// - Throws: ``FileSystemError``; a larger file is an `EFBIG`.
    package func readFile(_ name: String, limit: Int) throws(FileSystemError) -> [UInt8] {
        try readFileAndStatus(name, limit: limit).bytes
    }

    /// Reads a whole file as ``readFile(_:limit:)`` does, with its status before the first byte was read.
    func readFileAndStatus(
        _ name: String, limit: Int
    ) throws(FileSystemError) -> (bytes: [UInt8], status: FileStatus) {
        let file = try openFile(name)
        let status = try file.status()
        guard status.kind == .file else {
            throw FileSystemError(operation: "read", path: display(name), number: EINVAL)
        }
        guard status.size <= UInt64(limit) else {
            throw FileSystemError(operation: "read", path: display(name), number: EFBIG)
        }
        // One byte more than the file's size: a file that grows must not pass as complete.
        let bytes = try file.bytes(at: 0, count: Int(status.size) + 1)
        guard bytes.count <= limit else {
            throw FileSystemError(operation: "read", path: display(name), number: EFBIG)
        }
        return (bytes, status)
    }

    // MARK: Changing

    /// Creates a directory below this one.
    ///
    /// Returns whether it is new.
    @discardableResult
    package func makeDirectory(_ name: String) throws(FileSystemError) -> Bool {
        let result = unsafe carchive_make_directory_beneath(descriptor, name, name.utf8.count)
        if result == 0 { return true }
        guard result == -1, errno == EEXIST else { throw failure("make directory", name, result) }
        guard try status(name)?.kind == .directory else {
            throw FileSystemError(operation: "make directory", path: display(name), number: EEXIST)
        }
        return false
    }

    /// Creates every directory of a relative path.
    ///
    /// Returns the deepest one.
    package func makeDirectories(_ name: String) throws(FileSystemError) -> Directory {
        var current = self
        for component in name.split(separator: "/") {
            try current.makeDirectory(String(component))
            current = try current.directory(String(component))
        }
        return current
    }

    /// Gives a file a second name without replacing one.
    ///
    /// Returns `false` if the name is taken.
    package func link(
        _ name: String, to target: Directory, as newName: String
    ) throws(FileSystemError) -> Bool {
        let result = move(CARCHIVE_LINK, name, to: target, newName)
        if result == 0 { return true }
        guard result == -1, errno == EEXIST else { throw target.failure("link", newName, result) }
        return false
    }

    /// Renames, replacing a file of the new name atomically.
    package func rename(
        _ name: String, to target: Directory, as newName: String
    ) throws(FileSystemError) {
        let result = move(CARCHIVE_RENAME, name, to: target, newName)
        guard result == 0 else { throw target.failure("rename", newName, result) }
    }

    /// Swaps two names in one step.
    package func exchange(
        _ name: String, with other: Directory, _ otherName: String
    ) throws(FileSystemError) {
        let result = move(CARCHIVE_EXCHANGE, name, to: other, otherName)
        guard result == 0 else { throw other.failure("exchange", otherName, result) }
    }

    /// - Parameter kind: link, rename or exchange.
    private func move(
        _ kind: Int, _ name: String, to target: Directory, _ newName: String
    ) -> Int32 {
        unsafe carchive_move_beneath(
            Int32(kind), descriptor, name, name.utf8.count,
            target.descriptor, newName, newName.utf8.count)
    }

    /// Makes a symbolic link.
    package func makeSymbolicLink(_ name: String, target: String) throws(FileSystemError) {
        let result = unsafe carchive_make_link_beneath(
            descriptor, name, name.utf8.count, target, target.utf8.count)
        guard result == 0 else { throw failure("link", name, result) }
    }

    /// Removes a file; a missing one is not an error.
    package func removeFile(_ name: String) throws(FileSystemError) {
        let result = unsafe carchive_remove_beneath(descriptor, name, name.utf8.count, 0)
        guard result == 0 || result == -1 && errno == ENOENT else {
            throw failure("remove", name, result)
        }
    }

    /// Removes a directory if it is empty.
    func removeEmptyDirectory(_ name: String) throws(FileSystemError) {
        let result = unsafe carchive_remove_beneath(descriptor, name, name.utf8.count, 1)
        guard result == 0 else {
            if result == -1, [ENOENT, ENOTEMPTY, EEXIST].contains(errno) { return }
            throw failure("remove", name, result)
        }
    }

    // MARK: Durability and exclusion

    /// Makes the entries of this directory durable.
    package func sync() throws(FileSystemError) {
        guard retryingOnInterrupt({ Int(carchive_sync(descriptor)) }) == 0 else {
            throw failure("sync", "", -1)
        }
    }

    /// Makes everything written to this directory's file system durable.
    package func syncFileSystem() throws(FileSystemError) {
        guard retryingOnInterrupt({ Int(carchive_sync_file_system(descriptor)) }) == 0 else {
            throw failure("sync", "", -1)
        }
    }

    /// A path below this directory as a person would write it.
    package func display(_ name: String) -> String {
        if name.isEmpty || name == "." { return path }
        if path == "." { return name }
        return path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// - Parameter result: what the call returned.
    private func failure(
        _ operation: String, _ name: String, _ result: Int32
    ) -> FileSystemError {
        let number = errno
        return FileSystemError(operation, display(name), result: result, number: number)
    }
}

private func systemLength(_ text: UnsafePointer<UInt8>) -> Int {
    unsafe strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
}

extension Directory {
    /// Makes the entries of some directories below this one durable (`""` is this one).
    ///
    /// For many directories, one call for the whole file system is cheaper.
    func syncDirectories(_ names: [String]) throws(FileSystemError) {
        let distinct = Set(names)
        if distinct.count > 16 { return try syncFileSystem() }
        for name in distinct.sorted() {
            if name.isEmpty { try sync() } else { try directory(name).sync() }
        }
    }
}
