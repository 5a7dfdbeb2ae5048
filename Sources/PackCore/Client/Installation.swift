import PackGround
import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The directory of an installation.
///
/// `versions/<version>` has complete, verified trees, `current` links to one of them, and
/// `state.json` has the state. A killed run leaves files only in `.staging` and, for a remote
/// origin, `.parts`.
final class Installation: Sendable {
    let directory: Directory
    let staging: Directory

    static let current = "current"
    static let versions = "versions"
    private static let stagingName = ".staging"
    static let lockName = ".lock"
    /// Partial downloads of large files, which the next run resumes.
    static let parts = ".parts"

    /// Opens an installation for the owner of its lock, and removes files left by a killed run.
    init(_ directory: Directory) throws {
        self.directory = directory
        try directory.makeDirectory(Self.versions)
        // A killed run may have switched `current` only in memory: the old tree must not be deleted
        // before the switch is durable.
        try directory.directory(Self.versions).sync()
        try directory.sync()
        try directory.removeTree(Self.stagingName)
        try directory.makeDirectory(Self.stagingName)
        staging = try directory.directory(Self.stagingName)
        try removeOtherVersions()
    }

    /// The version that `current` links to, if its tree exists.
    func installedVersion() throws -> Version? { try Self.installedVersion(in: directory) }

    /// The path of a version's tree below that of the installation.
    static func treePath(_ version: Version) -> String { "\(versions)/\(version)" }

    static func installedVersion(in directory: Directory) throws -> Version? {
        guard let target = try directory.linkTarget(current),
            target.hasPrefix("\(versions)/"),
            let version = Version(String(target.dropFirst(versions.count + 1))),
            try directory.status(target)?.kind == .directory
        else { return nil }
        return version
    }

    func tree(_ version: Version) throws(Failure) -> String {
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

    /// Switches `current`: the commit point of an installation.
    func activate(_ version: Version) throws {
        let name = uniqueName()
        try staging.makeSymbolicLink(name, target: "\(Self.versions)/\(version)")
        try staging.rename(name, to: directory, as: Self.current)
        try directory.sync()
    }

    /// Removes the manifest that `packtool embed` wrote, because it does not match later releases.
    func removeEmbeddedManifest() throws { try directory.removeFile(OriginLayout.info) }

    /// Removes every tree except the current one.
    ///
    /// Each is moved to staging, which takes one step, or removed where it cannot be moved, as from
    /// another layer of an overlay. Files with other names were not created by packtool and are
    /// kept.
    func removeOtherVersions() throws {
        let installed = try installedVersion()
        let versions = try directory.directory(Self.versions)
        for version in try Self.versionNames(in: versions) where version != installed {
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
    static func withdraw(_ directory: Directory) throws(Failure) {
        guard try directory.status(current) == nil else { return }
        if try directory.status(versions)?.kind == .directory {
            let trees = try directory.directory(versions)
            for version in try versionNames(in: trees) {
                try trees.removeTree(version.description)
            }
            try directory.removeEmptyDirectory(versions)
        }
        let hasState = try directory.status(InstallState.fileName) != nil
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
