import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Failure {
    /// A pseudo error number: a part of the path cannot be a name, so the system was not called.
    package static let refusedName: Int32 = -1

    /// A failed file-system call.
    ///
    /// - Parameters:
    ///   - operation: A verb: `open`, `write`, `rename`.
    ///   - path: The path for messages.
    ///   - number: The `errno` value, or ``refusedName``.
    package static func fileSystem(
        _ operation: String, _ path: String, number: Int32
    ) -> Failure {
        let reason =
            number == refusedName
            ? "a part of the path is empty, '.' or '..', or contains a NUL character"
            : unsafe String(cString: strerror(number))
        // A system call that failed has no effect later.
        var traits: Traits = .denial
        if [EMFILE, ENFILE, ENOMEM].contains(number) { traits.insert(.localOrTransient) }
        // Other failures (a resource shortage, missing permission, a failing device, a quota) do not
        // depend on the file's content.
        if [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO, EINVAL, EFBIG, refusedName].contains(number) {
            traits.insert(.anotherContent)
        }
        let name = String(operation.map { $0 == " " ? "-" : $0 })
        return Failure(
            Code("file-system.\(name)"),
            "cannot \(operation) '\(printable(withoutSecrets(path).utf8))': \(reason)",
            traits: traits, number: number)
    }

    /// A failed call of `CArchive`.
    ///
    /// - Parameters:
    ///   - result: The value that the call returned.
    ///   - number: `errno` after the call.
    package static func fileSystem(
        _ operation: String, _ path: String, result: Int32, number: Int32 = errno
    ) -> Failure {
        fileSystem(
            operation, path, number: result == CFILES_NOT_BELOW ? refusedName : number)
    }

    /// A file larger than the caller's limit.
    package static func fileTooLarge(_ path: String) -> Failure {
        fileSystem("read", path, number: EFBIG)
    }

    /// Whether the path does not exist.
    package var meansMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether the path already exists.
    package var meansTaken: Bool { number == EEXIST }

    /// Whether the file system has no hard links here, or allows no more for this file.
    package var meansNoLinks: Bool {
        number.map { [EPERM, EMLINK, ENOTSUP, EXDEV, ENOSYS].contains($0) } ?? false
    }
}

/// Repeats a call that a signal interrupted.
func retryingOnInterrupt(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
