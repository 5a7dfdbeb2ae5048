import CArchive

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file-system call that failed, with the path it was made for.
package struct FileSystemError: Remedied, Equatable {
    /// The operation as a verb: `open`, `write`, `rename`.
    package let operation: String
    /// The path as a person would write it.
    package let path: String
    /// The `errno` value, or ``refusedName``.
    package let number: Int32

    /// Not a system error: a part of the path cannot be a name, so the system was not called.
    package static let refusedName: Int32 = -1

    package init(operation: String, path: String, number: Int32) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// - Parameters:
    ///   - result: what one of the calls of `CArchive` returned.
    ///   - number: `errno` after that call.
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
        case EROFS: "choose a place on a writable file system"
        case ENOTDIR: "name a directory; one part of the path is a file"
        case EISDIR: "name a file, not a directory"
        case ELOOP: "name the path without the symbolic link"
        case EEXIST, ENOTEMPTY: "remove it or choose another name"
        case EIO: "check the disk for errors, then run the same command again"
        case EXDEV: "choose two places on the same file system"
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
    /// The process or machine has run out of a resource, which says nothing about the file.
    package var isLocalOrTransient: Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }

    /// The read failed because of the file itself: missing, not a file, or of another size.
    ///
    /// Other failures (a shortage, missing permission, a failing device, a quota) say nothing about
    /// the file.
    package var meansAnotherContent: Bool {
        [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO, EINVAL, EFBIG, Self.refusedName].contains(number)
    }

    /// Nothing is at the path.
    package var meansMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// Something is at the path already.
    package var meansTaken: Bool { number == EEXIST }

    /// A file of more bytes than were to be read.
    package static func tooLarge(_ path: String) -> FileSystemError {
        FileSystemError(operation: "read", path: path, number: EFBIG)
    }

    /// The file system has no hard links here, or no more for this file.
    package var meansNoLinks: Bool { [EPERM, EMLINK, ENOTSUP, EXDEV, ENOSYS].contains(number) }
}
