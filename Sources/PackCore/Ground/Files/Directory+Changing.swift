import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Operations that create, rename, swap, remove and sync names.
extension Directory {
    /// Creates a directory below this one.
    ///
    /// - Returns: Whether the directory is new.
    @discardableResult
    package func makeDirectory(_ name: String) throws(Failure) -> Bool {
        let result = unsafe cfiles_make_directory_beneath(descriptor, name, name.utf8.count)
        if result == 0 { return true }
        guard result == -1, errno == EEXIST else { throw failure("make directory", name, result) }
        guard try status(name)?.kind == .directory else {
            throw Failure.fileSystem("make directory", display(name), number: EEXIST)
        }
        return false
    }

    /// Creates the directories of files, each before its first file.
    ///
    /// - Parameter paths: Sorted, so that the paths of one directory are adjacent.
    package func makeDirectories(of paths: some Sequence<AssetPath>) throws(Failure) {
        var before: [ArraySlice<UInt8>] = []
        for path in paths {
            let directories = path.directories
            for (index, directory) in directories.enumerated()
            where !before.indices.contains(index) || before[index] != directory {
                try makeDirectory(String(decoding: directory, as: UTF8.self))
            }
            before = directories
        }
    }

    /// Creates every directory of a relative path and returns the deepest one.
    package func makeDirectories(_ name: String) throws(Failure) -> Directory {
        var current = self
        for component in name.pathComponents() {
            try current.makeDirectory(String(component))
            current = try current.directory(String(component))
        }
        return current
    }

    /// Creates a hard link; never replaces an existing file.
    ///
    /// - Returns: `false` if the new name is taken.
    package func link(
        _ name: String, to target: Directory, as newName: String
    ) throws(Failure) -> Bool {
        let result = move(CFILES_LINK, name, to: target, newName)
        if result == 0 { return true }
        guard result == -1, errno == EEXIST else { throw target.failure("link", newName, result) }
        return false
    }

    /// Removes all permissions to write a file; ignored if the file system has none.
    package func makeReadOnly(_ name: String) {
        try? openFile(name).makeReadOnly()
    }

    /// Renames, replacing a file of the new name atomically.
    package func rename(
        _ name: String, to target: Directory, as newName: String
    ) throws(Failure) {
        let result = move(CFILES_RENAME, name, to: target, newName)
        guard result == 0 else { throw target.failure("rename", newName, result) }
    }

    /// Swaps two names in one step.
    package func exchange(
        _ name: String, with other: Directory, _ otherName: String
    ) throws(Failure) {
        let result = move(CFILES_EXCHANGE, name, to: other, otherName)
        guard result == 0 else { throw other.failure("exchange", otherName, result) }
    }

    /// Calls the system to link, rename or exchange.
    private func move(
        _ kind: Int, _ name: String, to target: Directory, _ newName: String
    ) -> Int32 {
        unsafe cfiles_move_beneath(
            Int32(kind), descriptor, name, name.utf8.count,
            target.descriptor, newName, newName.utf8.count)
    }

    /// Makes a symbolic link.
    package func makeSymbolicLink(_ name: String, target: String) throws(Failure) {
        let result = unsafe cfiles_make_link_beneath(
            descriptor, name, name.utf8.count, target, target.utf8.count)
        guard result == 0 else { throw failure("link", name, result) }
    }

    /// Removes a file; a missing one is not an error.
    package func removeFile(_ name: String) throws(Failure) {
        let result = unsafe cfiles_remove_beneath(descriptor, name, name.utf8.count, 0)
        guard result == 0 || result == -1 && errno == ENOENT else {
            throw failure("remove", name, result)
        }
    }

    /// Removes a directory if it is empty.
    package func removeEmptyDirectory(_ name: String) throws(Failure) {
        let result = unsafe cfiles_remove_beneath(descriptor, name, name.utf8.count, 1)
        guard result == 0 else {
            if result == -1, [ENOENT, ENOTEMPTY, EEXIST].contains(errno) { return }
            throw failure("remove", name, result)
        }
    }

    // MARK: Durability

    /// Makes the entries of this directory durable.
    package func sync() throws(Failure) {
        guard retryingOnInterrupt({ Int(cfiles_sync(descriptor)) }) == 0 else {
            throw failure("sync", "", -1)
        }
    }

    /// Makes everything written to this directory's file system durable.
    package func syncFileSystem() throws(Failure) {
        guard retryingOnInterrupt({ Int(cfiles_sync_file_system(descriptor)) }) == 0 else {
            throw failure("sync", "", -1)
        }
    }

    /// Makes the entries of directories below this one durable; `""` is this directory.
    ///
    /// For more than 16 directories, one sync of the whole file system is cheaper.
    package func syncDirectories(_ names: [String]) throws(Failure) {
        let distinct = Set(names)
        if distinct.count > 16 { return try syncFileSystem() }
        for name in distinct.sorted() {
            if name.isEmpty { try sync() } else { try directory(name).sync() }
        }
    }
}
