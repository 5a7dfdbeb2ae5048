#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock that ends with the process, so a killed process never leaves one behind.
///
/// The lock is released at the end of its scope.
package struct FileLock: ~Copyable {
    private let file: LockedFile

    /// Takes the lock without waiting.
    ///
    /// - Parameter isNew: Whether to create a missing lock file.
    /// - Returns: `nil` if another process has the lock.
    package init?(
        in directory: Directory, name: String, isNew: Bool = true
    ) throws(Failure) {
        let file = try directory.openLockFile(name, isNew: isNew)
        let result = retryingOnInterrupt { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
        if result != 0 {
            if errno == EWOULDBLOCK { return nil }
            throw file.failure("lock")
        }
        let locked = LockedFile(descriptor: file)
        // The previous owner may have removed the file with its directory; a lock on a removed file
        // excludes no one.
        guard try directory.status(name)?.identity == locked.descriptor.status().identity else {
            return nil
        }
        self.file = locked
    }

    /// Writes the content of an empty lock file durably.
    package func fill(_ bytes: [UInt8]) throws(Failure) {
        guard try file.descriptor.status().size == 0 else { return }
        try file.descriptor.write(bytes)
        try file.descriptor.sync()
    }
}

/// A file that this process has locked.
///
/// Not private: other modules of an optimized build destroy a ``FileLock``, and need its name to link.
package struct LockedFile: ~Copyable {
    fileprivate let descriptor: OwnedDescriptor

    /// Closing alone would not release the lock while a child has a copy of the descriptor: every child has one from
    /// its fork to its `exec`.
    deinit { _ = flock(descriptor.number, LOCK_UN) }
}
