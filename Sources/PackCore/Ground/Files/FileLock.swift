#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock that dies with the process, so that a kill never leaves one behind.
package struct FileLock: ~Copyable {
    private let file: OwnedDescriptor

    /// Takes the lock without waiting.
    ///
    /// - Parameter isNew: whether a lock file that is missing is made.
    /// - Returns: `nil` where somebody else holds it.
    package init?(
        in directory: Directory, name: String, isNew: Bool = true
    ) throws(FileSystemError) {
        let file = try directory.openLockFile(name, isNew: isNew)
        let result = retryingOnInterrupt { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
        if result != 0 {
            if errno == EWOULDBLOCK { return nil }
            throw file.failure("lock")
        }
        // Whoever had it may have removed the file with the directory: a lock nobody else can find is none.
        guard try directory.status(name)?.identity == file.status().identity else { return nil }
        self.file = file
    }
}
