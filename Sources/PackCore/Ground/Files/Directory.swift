import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open directory; operations are relative to it and never follow a symbolic link below it.
///
/// A class, so that parallel tasks can share the descriptor; it has no other state.
package final class Directory: Sendable {
    let descriptor: Int32
    /// The path used to open it, for messages.
    package let path: String

    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// Opens an existing directory by a user's path, following links in the path.
    package static func open(_ path: String) throws(Failure) -> Directory {
        let located = WorkingDirectory.locate(path)
        let number = Int32(
            retryingOnInterrupt {
                unsafe Int(cfiles_open(located, located.utf8.count, O_RDONLY | O_DIRECTORY))
            })
        guard number >= 0 else { throw Failure.fileSystem("open", path, result: number) }
        return Directory(adopting: number, path: path)
    }

    /// Opens a directory by a user's path; `nil` if it does not exist.
    package static func openIfPresent(_ path: String) throws(Failure) -> Directory? {
        do {
            return try open(path)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a directory by a user's path, creating it and its parents if they are missing.
    ///
    /// New entries are made durable in all parents.
    package static func openOrCreate(_ path: String) throws(Failure) -> Directory {
        var made: [String] = []
        return try openOrCreate(path, made: &made)
    }

    /// Opens or creates a directory like ``openOrCreate(_:)``.
    ///
    /// - Parameter made: Receives the path of every new directory, parents before children, even if
    ///   a later directory could not be created.
    package static func openOrCreate(
        _ path: String, made: inout [String]
    ) throws(Failure) -> Directory {
        do {
            return try open(path)
        } catch {
            // If another kind of file has the name, creating the directory reports the error.
            if error.number == Failure.refusedName { throw error }
        }
        var prefix = ""
        for component in path.pathComponents(omittingEmpty: false) {
            prefix += prefix.isEmpty && !path.hasBytes("/") ? String(component) : "/" + component
            while prefix.hasBytes("//") { prefix.removeFirst() }
            if prefix.isEmpty || prefix == "/" { continue }
            if unsafe cfiles_make_directory(WorkingDirectory.locate(prefix)) == 0 {
                made.append(prefix)
                try parent(of: prefix).sync()
            } else if errno != EEXIST {
                // A failure is ignored if the directory can be opened anyway.
                let number = errno
                if (try? open(prefix)) == nil {
                    throw Failure.fileSystem("make directory", prefix, number: number)
                }
            }
        }
        return try open(path)
    }

    /// Removes directories that a run created but did not use: the last first, and only empty ones.
    package static func removeUnused(_ made: [String]) {
        for path in made.reversed() {
            unsafe cfiles_remove_directory(WorkingDirectory.locate(path))
        }
    }

    /// The directory at a path, or its deepest existing ancestor; `nil` if none can be opened.
    package static func nearest(to path: String) throws(Failure) -> Directory? {
        var path = path
        while true {
            if let found = try openIfPresent(path) { return found }
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            guard let slash = path.lastSlash else { return try open(".") }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    private static func parent(of path: String) throws(Failure) -> Directory {
        guard let slash = path.lastSlash else { return try open(".") }
        return try open(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    // MARK: Opening

    /// Opens a directory below this one.
    package func directory(_ name: String) throws(Failure) -> Directory {
        let number = try openBeneath(name, flags: O_RDONLY | O_DIRECTORY, mode: 0)
        return Directory(adopting: number, path: display(name))
    }

    /// Opens this directory again under another name for messages.
    package func reopened(shownAs name: String) throws(Failure) -> Directory {
        let number = Int32(retryingOnInterrupt { Int(cfiles_open_again(descriptor)) })
        guard number >= 0 else { throw failure("open", "", number) }
        return Directory(adopting: number, path: name)
    }

    /// Opens a file below this directory for reading.
    ///
    /// Opens without blocking, because a pipe instead of a file must not block the tool.
    package func openFile(_ name: String) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, mode: 0)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Creates a file below this directory; it must not exist.
    package func createFile(_ name: String) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Creates a file that can later only be read; it must not exist.
    package func createReadOnlyFile(_ name: String) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o444)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Creates a file that only its owner can read; it must not exist.
    package func createPrivateFile(_ name: String) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Opens a file below this directory for appending.
    package func openFileForAppending(_ name: String) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_WRONLY | O_APPEND, mode: 0)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Opens or creates a lock file, which is never replaced.
    func openLockFile(_ name: String, isNew: Bool) throws(Failure) -> OwnedDescriptor {
        let number = try openBeneath(name, flags: O_RDWR | (isNew ? O_CREAT : 0), mode: 0o644)
        return OwnedDescriptor(adopting: number, path: display(name))
    }

    /// Opens a name below this directory.
    ///
    /// - Parameter walking: Forces the fallback for kernels without `openat2`, for tests.
    func openBeneath(
        _ name: String, flags: Int32, mode: mode_t, walking: Bool = false
    ) throws(Failure) -> Int32 {
        let call = walking ? unsafe cfiles_open_beneath_by_walking : unsafe cfiles_open_beneath
        let number = Int32(
            retryingOnInterrupt { unsafe Int(call(descriptor, name, name.utf8.count, flags, mode)) }
        )
        guard number >= 0 else { throw failure("open", name, number) }
        return number
    }

    // MARK: Messages

    /// The path of a name below this directory, for messages.
    package func display(_ name: String) -> String {
        if name.isEmpty || name == "." { return path }
        if path == "." { return name }
        return path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// The error of a failed call.
    ///
    /// - Parameter result: The value that the call returned.
    func failure(
        _ operation: String, _ name: String, _ result: Int32
    ) -> Failure {
        let number = errno
        return Failure.fileSystem(operation, display(name), result: result, number: number)
    }
}
