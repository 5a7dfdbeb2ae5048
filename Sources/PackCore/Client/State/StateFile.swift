package import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file `state.json` of an installation.
///
/// An update holds its lock for minutes, and the app may start during it. So each change of the state
/// has a short lock of its own, under which the file is read again.
package struct StateFile: Sendable {
    static let name = "state.json"
    static let lockName = ".state.lock"
    /// The next state, until it is complete.
    private static let draftName = ".state.json"
    private static let draftLinkName = ".current"
    /// More than a pointer in base64.
    private static let sizeLimit = 512 << 10
    /// How often, and how many microseconds each time, to wait for another owner of the lock.
    private static let patience = (times: 500, pause: UInt32(10_000))

    let directory: Directory

    package init(directory: Directory) { self.directory = directory }

    /// Reads the state; `nil` if there is none yet.
    ///
    /// - Throws: ``Failure/installDamagedState(path:problem:)``.
    package func read() throws -> InstallState? {
        guard try directory.status(Self.name) != nil else { return nil }
        do {
            return try InstallState.decode(directory.readFile(Self.name, limit: Self.sizeLimit))
        } catch let error as Failure where (error.number ?? EFBIG) != EFBIG {
            // The file may be intact. Treating it as missing would accept an old pointer as a new
            // one.
            throw error
        } catch {
            throw Failure.installDamagedState(
                path: directory.display(Self.name), problem: "\(error)")
        }
    }

    /// Whether the directory has the state of an installation, also a damaged one or one of a newer
    /// schema.
    func isThere() -> Bool {
        (try? directory.readFile(Self.name, limit: Self.sizeLimit))
            .map(InstallState.isState) ?? false
    }

    /// Changes the state durably, unless the change leaves it as it was, and makes `current` link to
    /// its release.
    ///
    /// - Returns: The new state.
    @discardableResult
    func change(_ body: (InstallState?) throws -> InstallState) throws -> InstallState {
        for _ in 0..<Self.patience.times {
            guard let lock = try FileLock(in: directory, name: Self.lockName) else {
                usleep(Self.patience.pause)
                continue
            }
            let old = try read()
            let new = try body(old)
            if new != old { try write(new) }
            try link(to: new.current)
            _ = consume lock
            return new
        }
        throw Failure.installBusy(directory: directory.path)
    }

    /// Makes `current` link to the current release, in one step.
    ///
    /// It stays at the last tree while the app runs the release in itself.
    private func link(to place: InstallState.Place?) throws(Failure) {
        guard case .tree(let version) = place else { return }
        let target = Installation.treePath(version)
        guard try directory.linkTarget(Installation.current) != target,
            try Installation.hasTree(version, in: directory)
        else { return }
        try directory.removeFile(Self.draftLinkName)
        try directory.makeSymbolicLink(Self.draftLinkName, target: target)
        try directory.rename(Self.draftLinkName, to: directory, as: Installation.current)
        try directory.sync()
    }

    private func write(_ state: InstallState) throws {
        try directory.removeFile(Self.draftName)
        do {
            let file = try directory.createFile(Self.draftName)
            try file.write(state.encode())
            try file.sync()
            try file.close()
            try directory.rename(Self.draftName, to: directory, as: Self.name)
        } catch {
            try? directory.removeFile(Self.draftName)
            throw error
        }
        try directory.sync()
    }

    /// Removes the lock file, unless another process has the lock.
    func removeLock() throws(Failure) {
        guard try directory.status(Self.lockName) != nil,
            let lock = try FileLock(in: directory, name: Self.lockName)
        else { return }
        try directory.removeFile(Self.lockName)
        _ = consume lock
    }
}
