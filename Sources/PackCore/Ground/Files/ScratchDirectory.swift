#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A temporary directory of one run; if the run is killed, a later run removes it.
///
/// `.<32 random digits>.packtool` contains `lock`, which the run keeps locked, and `content` for
/// the work. The lock file is created before the content and removed after it. A later run removes
/// the directory if it gets the lock, if there is content without a lock file (after a power cut),
/// or if the directory is empty: in these cases no run uses it. A run that finds the lock held, or
/// its directory already removed, retries under another name. `unlocked` marks a file system
/// without locks; no other run removes such a directory.
package struct ScratchDirectory: ~Copyable {
    /// The directory to work in.
    package let content: Directory
    private let parent: Directory
    private let name: String
    private let lock: FileLock?

    private static let lockName = "lock"
    private static let contentName = "content"
    private static let unlockedName = "unlocked"
    /// The number of retries; each needs another run to interfere between two calls.
    private static let attempts = 8

    /// Creates a directory under a random name, and removes neighbours that killed runs left
    /// behind.
    ///
    /// - Parameter willMake: Called with each name before it is created.
    package static func make(
        in parent: Directory, willMake: (String) -> Void = { _ in }
    ) throws(Failure) -> ScratchDirectory {
        for _ in 0..<attempts {
            let name = JunkFiles.temporaryName()
            willMake(name)
            try parent.makeDirectory(name)
            do throws(Failure) {
                if let made = try make(name, in: parent) {
                    made.removeAbandonedNeighbours()
                    return made
                }
            } catch {
                guard error.number == ENOENT else {
                    try? parent.removeTree(name)
                    throw error
                }
            }
        }
        throw Failure.fileSystem("lock", parent.path, number: EAGAIN)
    }

    /// Creates and locks the directory.
    ///
    /// - Returns: `nil` if another run considered it abandoned.
    private static func make(
        _ name: String, in parent: Directory
    ) throws(Failure) -> ScratchDirectory? {
        let lock: FileLock?
        let lockPath = "\(name)/\(lockName)"
        do throws(Failure) {
            lock = try FileLock(in: parent, name: lockPath)
            if lock == nil { return nil }
        } catch {
            guard error.code == Failure.Code("file-system.lock") else { throw error }
            try parent.createFile("\(name)/\(unlockedName)").close()
            lock = nil
        }
        let path = "\(name)/\(contentName)"
        try parent.makeDirectory(path)
        return ScratchDirectory(
            content: try parent.directory(path), parent: parent, name: name, lock: lock)
    }

    private init(
        content: Directory, parent: Directory, name: String, lock: consuming FileLock?
    ) {
        self.content = content
        self.parent = parent
        self.name = name
        self.lock = lock
    }

    /// Removes the directory and everything in it, the content first.
    package consuming func remove() throws(Failure) {
        try parent.removeTree(name)
    }

    /// Removes abandoned neighbours; a later run retries those that cannot be removed.
    private borrowing func removeAbandonedNeighbours() {
        guard let owner = (try? parent.status(name))??.owner, let names = try? parent.names()
        else { return }
        for bytes in names where JunkFiles.isTemporary(bytes) {
            let other = String(decoding: bytes, as: UTF8.self)
            if other != name { try? Self.removeAbandoned(other, of: owner, in: parent) }
        }
    }

    private static func removeAbandoned(
        _ name: String, of owner: UInt32, in parent: Directory
    ) throws(Failure) {
        guard let status = try parent.status(name), status.kind == .directory,
            status.owner == owner
        else { return }
        // In this order: a running process creates its lock file before its content.
        let hasContent = try parent.status("\(name)/\(contentName)") != nil
        guard try parent.status("\(name)/\(unlockedName)") == nil else { return }
        let lockPath = "\(name)/\(lockName)"
        if try parent.status(lockPath) != nil {
            guard let lock = try FileLock(in: parent, name: lockPath, isNew: false) else { return }
            try parent.removeTree(name)
            _ = consume lock
        } else if hasContent {
            try parent.removeTree(name)
        } else {
            try parent.removeEmptyDirectory(name)
        }
    }
}
