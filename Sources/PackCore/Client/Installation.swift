import PackGround
import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The directory of an installation.
///
/// `versions/<version>` has complete, verified trees, and `state.json` has the state, which is the
/// commit point. `current` links to the tree that was installed or started last. A killed run leaves
/// files only in `.staging` and, for a remote origin, `.parts`, and trees that the state does not
/// name.
final class Installation: Sendable {
    let directory: Directory
    let staging: Directory
    let stateFile: StateFile

    static let current = "current"
    static let versions = "versions"
    private static let stagingName = ".staging"
    static let lockName = ".lock"
    /// Partial downloads of large files, which the next run resumes.
    static let parts = ".parts"

    /// Opens an installation for the owner of its lock, and removes files left by a killed run.
    init(_ directory: Directory) throws {
        self.directory = directory
        stateFile = StateFile(directory: directory)
        try directory.makeDirectory(Self.versions)
        // A killed run may have changed the state only in memory: no old tree must be deleted before
        // the change is durable.
        try directory.directory(Self.versions).sync()
        try directory.sync()
        try directory.removeTree(Self.stagingName)
        try directory.makeDirectory(Self.stagingName)
        staging = try directory.directory(Self.stagingName)
    }

    /// The path of a version's tree below that of the installation.
    static func treePath(_ version: Version) -> String { "\(versions)/\(version)" }

    /// Whether a version's tree exists.
    static func hasTree(_ version: Version, in directory: Directory) throws(Failure) -> Bool {
        try directory.status(treePath(version))?.kind == .directory
    }

    /// The version that `current` links to, if its tree exists.
    static func linkedVersion(in directory: Directory) throws(Failure) -> Version? {
        guard let target = try directory.linkTarget(current),
            target.hasPrefix("\(versions)/"),
            let version = Version(String(target.dropFirst(versions.count + 1))),
            try hasTree(version, in: directory)
        else { return nil }
        return version
    }

    func tree(_ version: Version) -> String {
        directory.display("\(Self.versions)/\(version)")
    }

    /// Moves a verified tree to the path of its version.
    ///
    /// If a damaged tree of that version exists, the two are exchanged in one step.
    func move(_ name: String, as version: Version) throws {
        let target = "\(Self.versions)/\(version)"
        if try directory.status(target) != nil {
            try staging.exchange(name, with: directory, target)
        } else {
            try staging.rename(name, to: directory, as: target)
        }
        try directory.directory(Self.versions).sync()
    }

    /// Writes the manifest of a release bundled in apps, for clients reading only manifests.
    func write(manifest bytes: [UInt8]) throws {
        let file = try directory.createFile(OriginLayout.info)
        try file.write(bytes)
        try file.sync()
        try file.close()
    }

    /// Removes the manifest that `packtool embed` wrote, because it does not match later releases.
    func removeEmbeddedManifest() throws { try directory.removeFile(OriginLayout.info) }

    /// Removes every tree that a state does not name; without a state, every tree but the one that
    /// `current` links to.
    ///
    /// Each is moved to staging, which takes one step, or removed where it cannot be moved, as from
    /// another layer of an overlay. Files with other names were not created by packtool and are
    /// kept.
    func removeTrees(except state: InstallState?) throws {
        let versions = try directory.directory(Self.versions)
        let linked = state == nil ? try Self.linkedVersion(in: directory) : nil
        for version in try Self.versionNames(in: versions)
        where state?[.tree(version)] == nil && version != linked {
            do {
                try versions.rename(version.description, to: staging, as: uniqueName())
            } catch {
                try versions.removeTree(version.description)
            }
        }
    }

    private static func versionNames(
        in directory: Directory
    ) throws(Failure) -> [Version] {
        try directory.names().compactMap {
            String(utf8: $0).flatMap { Version($0) }
        }
    }

    /// Cleans a directory in which nothing is installed; only for the owner of the lock.
    ///
    /// `state.json` is kept, because a kill switch must remain effective although nothing was
    /// installed. A trust root is also kept, and with it, if there is no state, the lock file as
    /// the mark of the directory.
    static func withdraw(_ directory: Directory) throws {
        let file = StateFile(directory: directory)
        guard try file.read()?.trees.isEmpty != false, try linkedVersion(in: directory) == nil
        else {
            return
        }
        if try directory.status(versions)?.kind == .directory {
            let trees = try directory.directory(versions)
            for version in try versionNames(in: trees) {
                try trees.removeTree(version.description)
            }
            try directory.removeEmptyDirectory(versions)
        }
        try file.removeLock()
        let hasState = try directory.status(StateFile.name) != nil
        let hasTrust = try directory.status(trust) != nil
        if hasState || !hasTrust { try directory.removeFile(lockName) }
    }

    /// Removes the staging, and the directory of partial files if it is empty.
    static func clean(_ directory: Directory) throws(Failure) {
        try directory.removeTree(stagingName)
        if try directory.status(parts)?.kind == .directory {
            try directory.removeEmptyDirectory(parts)
        }
    }

    /// Removes partial files, after the installation has succeeded.
    static func removeParts(_ directory: Directory) throws(Failure) {
        if try directory.status(parts) != nil { try directory.removeTree(parts) }
    }
}
