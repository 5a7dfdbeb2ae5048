import PackGround
import PackRelease

extension DirectoryStore {
    /// Opens an origin; `nil` if it does not exist.
    static func openIfPresent(_ path: String) throws -> DirectoryStore? {
        try Directory.openIfPresent(path).map { DirectoryStore($0) }
    }

    /// Opens an origin, creating its directory if needed; if `body` fails, a directory created here is removed.
    static func withOpenOrCreated<Result>(
        _ path: String, _ body: (DirectoryStore) async throws -> Result
    ) async throws -> Result {
        var made: [String] = []
        do {
            return try await body(
                DirectoryStore(try Directory.openOrCreate(path, made: &made)))
        } catch {
            Directory.removeUnused(made)
            throw error
        }
    }

    // MARK: The lock

    package func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result? {
        guard let lock = try takeLock() else { return nil }
        let result: Result
        do {
            try removeStaleStaging()
            result = try await body()
        } catch {
            if isNew { try? withdraw() }
            throw error
        }
        _ = consume lock
        return result
    }

    package func isLocked() -> Bool? {
        do throws(Failure) {
            let workspace = try root.directory(OriginLayout.workspace)
            guard let lock = try FileLock(in: workspace, name: OriginLayout.lock, isNew: false)
            else {
                return true
            }
            _ = consume lock
            return false
        } catch {
            return error.meansMissing ? false : nil
        }
    }

    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        try await body()
    }

    package func confirm(_ intent: Upload) async throws -> Bool {
        try await create([intent]) == [.made]
    }

    package func mayBeAtWork(_ intent: RunIntent.Recorded, now: Timestamp) -> Bool { false }

    package func isTimeLeft(_ intent: RunIntent, now: Timestamp) -> Bool { true }

    package func isCopy() async throws -> Bool {
        try await !isFolder(OriginLayout.workspace)
    }

    private func takeLock() throws -> FileLock? {
        do throws(Failure) {
            try root.makeDirectory(OriginLayout.workspace)
            let workspace = try root.directory(OriginLayout.workspace)
            return try FileLock(in: workspace, name: OriginLayout.lock)
        } catch {
            // Another publisher was refused at this moment and removes what it created.
            guard error.meansMissing else { throw error }
            return nil
        }
    }

    /// Removes the workspace of an origin that was empty before and in which nothing was published.
    ///
    /// Only the holder of the lock may do so. The lock's file goes last, so the next holder sees all that is there.
    private func withdraw() throws(Failure) {
        guard try root.names() == [Array(OriginLayout.workspace.utf8)] else { return }
        let workspace = try root.directory(OriginLayout.workspace)
        for name in try workspace.names() where name != Array(OriginLayout.lock.utf8) {
            try workspace.removeTree(name)
        }
        try workspace.removeFile(OriginLayout.lock)
        try root.removeEmptyDirectory(OriginLayout.workspace)
    }

    // MARK: Staging

    package func makeStaging() throws -> Staging {
        let identifier = uniqueName()
        let parent = try root.makeDirectories(OriginLayout.staging)
        try parent.makeDirectory(identifier)
        let root = root
        return Staging(try parent.directory(identifier)) {
            try root.directory(OriginLayout.staging).removeTree(identifier)
        }
    }

    /// Removes the staging of runs that were killed.
    ///
    /// Only the holder of the lock may do so.
    private func removeStaleStaging() throws(Failure) {
        guard try root.status(OriginLayout.staging)?.kind == .directory else { return }
        try root.directory(OriginLayout.staging).removeContents()
    }
}
