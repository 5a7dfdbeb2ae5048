import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Directory {
    /// Removes a name and, for a directory, everything below it.
    ///
    /// Links are removed, never followed.
    /// Four descriptors are enough for a tree of any depth.
    package func removeTree(_ name: String) throws(Failure) {
        try removeTree(Array(name.utf8))
    }

    /// Removes a name in the bytes that the system returned, which may not be UTF-8.
    package func removeTree(_ name: [UInt8]) throws(Failure) {
        var removal = TreeRemoval(self)
        try removal.remove(name)
    }

    /// Removes everything in this directory.
    package func removeContents() throws(Failure) {
        for name in try names() { try removeTree(name) }
    }
}

/// Walks a tree depth first and removes it from its leaves up.
///
/// The walk descends by name and returns by `..`, so only the current directory is open. It checks
/// that `..` is its previous directory, because another process could move the tree.
private struct TreeRemoval {
    /// A directory on the way down.
    private struct Level {
        let name: [UInt8]
        let identity: FileStatus.Identity
        /// Names still to remove, the next one last.
        var names: [[UInt8]]
    }

    /// The directory that contains the tree; it stays open, and the walk ends in it.
    private let top: Directory
    private var levels: [Level] = []
    /// The directory of the last level.
    private var current: Directory

    init(_ top: Directory) {
        self.top = top
        current = top
    }

    mutating func remove(_ name: [UInt8]) throws(Failure) {
        try removeOrEnter(name)
        while !levels.isEmpty {
            // Popped in place: a second reference would copy all names at every removal.
            if let next = levels[levels.count - 1].names.popLast() {
                try removeOrEnter(next)
            } else {
                try leave(levels.removeLast())
            }
        }
    }

    private mutating func removeOrEnter(_ name: [UInt8]) throws(Failure) {
        let text = systemName(name)
        var raw = stat()
        let result = unsafe cfiles_status_beneath(current.descriptor, text, name.count, &raw)
        guard result == 0 else {
            if result == -1, errno == ENOENT || errno == ENOTDIR { return }
            throw failure("inspect", name, result)
        }
        guard FileStatus(raw).kind == .directory else {
            return try remove(name, isDirectory: false)
        }
        let number = Int32(
            retryingOnInterrupt {
                unsafe Int(
                    cfiles_open_beneath(
                        current.descriptor, text, name.count, O_RDONLY | O_DIRECTORY, 0))
            })
        guard number >= 0 else { throw failure("open", name, number) }
        let child = Directory(adopting: number, path: top.display(printable(name)))
        guard unsafe fstat(number, &raw) == 0 else { throw failure("inspect", name, -1) }
        levels.append(
            Level(
                name: name, identity: FileStatus(raw).identity, names: try child.names().reversed())
        )
        current = child
    }

    /// Goes up from an empty directory and removes it.
    private mutating func leave(_ level: Level) throws(Failure) {
        if let above = levels.last {
            let number = Int32(
                retryingOnInterrupt { Int(cfiles_open_above(current.descriptor)) })
            guard number >= 0 else { throw failure("open", level.name, number) }
            let parent = Directory(adopting: number, path: top.display(printable(above.name)))
            var raw = stat()
            guard unsafe fstat(number, &raw) == 0, FileStatus(raw).identity == above.identity else {
                // Another process moved the tree: the current directory is outside it and must not
                // be changed.
                throw failure("remove", level.name, -1, ESTALE)
            }
            current = parent
        } else {
            current = top
        }
        try remove(level.name, isDirectory: true)
    }

    private func remove(_ name: [UInt8], isDirectory: Bool) throws(Failure) {
        let result = unsafe cfiles_remove_beneath(
            current.descriptor, systemName(name), name.count, isDirectory ? 1 : 0)
        guard result == 0 || result == -1 && errno == ENOENT else {
            throw failure("remove", name, result)
        }
    }

    private func systemName(_ name: [UInt8]) -> [CChar] {
        name.map { CChar(bitPattern: $0) } + [0]
    }

    /// The error of a failed call; builds the path only here, because paths in deep trees are long.
    private func failure(
        _ operation: String, _ name: [UInt8], _ result: Int32, _ number: Int32 = errno
    ) -> Failure {
        let way = levels.map { printable($0.name) } + [printable(name)]
        return Failure.fileSystem(
            operation, top.display(way.joined(separator: "/")), result: result, number: number)
    }
}
