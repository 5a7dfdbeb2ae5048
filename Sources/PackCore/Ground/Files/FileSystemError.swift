import CArchive

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A failed file-system call and its path.
package struct FileSystemError: Remedied, Equatable {
    /// The operation as a verb: `open`, `write`, `rename`.
    package let operation: String
    /// The path for messages.
    package let path: String
    /// The `errno` value, or ``refusedName``.
    package let number: Int32

    /// A pseudo error number: a part of the path cannot be a name, so the system was not called.
    package static let refusedName: Int32 = -1

    package init(operation: String, path: String, number: Int32) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Creates the error of a failed call of `CArchive`.
    ///
    /// - Parameters:
    ///   - result: The value that the call returned.
    ///   - number: `errno` after the call.
    package init(_ operation: String, _ path: String, result: Int32, number: Int32 = errno) {
        self.init(
            operation: operation, path: path,
            number: result == CARCHIVE_NOT_BELOW ? Self.refusedName : number)
    }

    package var code: String { "file-system.\(operation.replacingSpaces)" }

    package var description: String {
        "cannot \(operation) '\(printable(withoutSecrets(path).utf8))': \(reason)"
    }

    private var reason: String {
        isRefusedName
            ? "a part of the path is empty, '.' or '..', or contains a NUL character"
            : unsafe String(cString: strerror(number))
    }

    var isRefusedName: Bool { number == Self.refusedName }

    package var remedy: String {
        switch number {
        case Self.refusedName: "choose a path without empty, '.' or '..' parts"
        case ENOENT: "check the path"
        case EACCES, EPERM: "grant this user permission, or run as the owner"
        case ENOSPC, EDQUOT: "free some space on that file system, then run the same command again"
        case EMFILE, ENFILE:
            "raise the limit of open files (ulimit -n), then run the same command again"
        case EROFS: "choose a path on a writable file system"
        case ENOTDIR: "name a directory; one part of the path is a file"
        case EISDIR: "name a file, not a directory"
        case ELOOP: "name the path without the symbolic link"
        case EEXIST, ENOTEMPTY: "remove it or choose another name"
        case EIO: "check the disk for errors, then run the same command again"
        case EXDEV: "choose two paths on the same file system"
        default: "check the path and its file system, then run the same command again"
        }
    }
}

extension String {
    fileprivate var replacingSpaces: String {
        String(map { $0 == " " ? "-" : $0 })
    }
}

/// Repeats a call that a signal interrupted.
func retryingOnInterrupt(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension FileSystemError {
    /// Whether the process or machine ran out of a resource; the file itself may be fine.
    package var isLocalOrTransient: Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }

    /// Whether the read failed because of the file itself: missing, not a file, or of another size.
    ///
    /// Other failures (a resource shortage, missing permission, a failing device, a quota) do not
    /// depend on the file's content.
    package var meansAnotherContent: Bool {
        [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO, EINVAL, EFBIG, Self.refusedName].contains(number)
    }

    /// Whether the path does not exist.
    package var meansMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether the path already exists.
    package var meansTaken: Bool { number == EEXIST }

    /// The error for a file larger than the caller's limit.
    package static func tooLarge(_ path: String) -> FileSystemError {
        FileSystemError(operation: "read", path: path, number: EFBIG)
    }

    /// Whether the file system has no hard links here, or allows no more for this file.
    package var meansNoLinks: Bool { [EPERM, EMLINK, ENOTSUP, EXDEV, ENOSYS].contains(number) }
}
