#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock that ends with the process, so that a killed process never leaves one behind.
package struct FileLock: ~Copyable {
    private let file: OwnedDescriptor

    /// Takes the lock without waiting.
    ///
    /// - Parameter isNew: Whether a missing lock file is created.
    /// - Returns: `nil` if another process has the lock.
    package init?(
        in directory: Directory, name: String, isNew: Bool = true
    ) throws(FileSystemError) {
        let file = try directory.openLockFile(name, isNew: isNew)
        let result = retryingOnInterrupt { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
        if result != 0 {
            if errno == EWOULDBLOCK { return nil }
            throw file.failure("lock")
        }
        // The previous owner may have removed the file with its directory; a lock on a removed file
        // excludes no one.
        guard try directory.status(name)?.identity == file.status().identity else { return nil }
        self.file = file
    }
}
