import PackGround

/// Recognises the directory of an installation.
///
/// File names prove nothing, because a user's directory may contain the same names. The proof is
/// the member `kind` of `state.json`, or the content of the lock file, which a first run writes
/// before anything else.
extension Installation {
    /// The content of the lock file.
    private static let mark = Array("packtool installation\n".utf8)

    /// Whether `packtool install` or `packtool embed` created a directory.
    private static func isMarked(_ directory: Directory) -> Bool {
        if (try? directory.readFile(lockName, limit: mark.count)) == mark { return true }
        return StateFile(directory: directory).isThere()
    }

    /// Whether an installation may write to a directory: one without files, or one of ours.
    ///
    /// Another run may mark the directory after the first question, or remove its mark after the second.
    static func isUsable(_ directory: Directory) throws -> Bool {
        try isUnused(directory) || isMarked(directory) || isUnused(directory)
    }

    /// Whether a directory is empty.
    ///
    /// Empty lock files are ignored: a first run may have ended before it wrote its mark.
    private static func isUnused(_ directory: Directory) throws(Failure) -> Bool {
        let names = try directory.names()
        let locks = [lockName, StateFile.lockName]
        guard names.allSatisfy({ name in locks.contains { Array($0.utf8) == name } }) else {
            return false
        }
        for lock in locks where try directory.status(lock).map({ $0.size > 0 }) ?? false {
            return false
        }
        return true
    }

    /// Marks a directory as an installation, before anything else is written to it.
    static func mark(
        _ directory: Directory, _ lock: borrowing FileLock
    ) throws(Failure) {
        try lock.fill(mark)
        try directory.sync()
    }
}
