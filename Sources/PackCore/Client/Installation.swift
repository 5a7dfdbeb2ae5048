import PackGround
import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The directory of an installation: `versions/<version>` with complete, verified trees, `current`
/// linking to one of them, and `state.json`.
///
/// A killed run leaves files only in `.staging` and, of a remote origin, `.parts`.
final class Installation: Sendable {
    let directory: Directory
    let staging: Directory

    static let current = "current"
    static let versions = "versions"
    private static let stagingName = ".staging"
    static let lockName = ".lock"
    /// What a run that was cut off had received of large files; the next one continues.
    static let parts = ".parts"

    /// Opens an installation for the holder of its lock, and removes what a killed run left.
    init(_ directory: Directory) throws {
        self.directory = directory
        try directory.makeDirectory(Self.versions)
        // A killed run may have switched `current` in memory only: nothing that it led to may go
        // before the switch is durable.
        try directory.directory(Self.versions).sync()
        try directory.sync()
        try directory.removeTree(Self.stagingName)
        try directory.makeDirectory(Self.stagingName)
        staging = try directory.directory(Self.stagingName)
        try removeOtherVersions()
    }

    /// The version that `current` links to, where its tree exists.
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

    func tree(_ version: Version) throws(FileSystemError) -> String {
        directory.display("\(Self.versions)/\(version)")
    }

    /// Puts a verified tree in place under its version.
    ///
    /// The tree of a release that is installed but damaged is exchanged in one step.
    func place(_ name: String, as version: Version) throws {
        let target = "\(Self.versions)/\(version)"
        if try directory.status(target) != nil {
            try staging.exchange(name, with: directory, target)
        } else {
            try staging.rename(name, to: directory, as: target)
        }
        try directory.directory(Self.versions).sync()
    }

    /// Writes the manifest of a release that goes into apps, for clients that know only manifests.
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

    /// Removes the manifest that `packtool embed` wrote: it describes no later release.
    func removeEmbeddedManifest() throws { try directory.removeFile(OriginLayout.info) }

    /// Removes every tree except the current one, moving each to staging first, so that no partial
    /// tree is ever visible under a version's name.
    ///
    /// Other names than versions were not made by packtool and stay.
    func removeOtherVersions() throws {
        let installed = try installedVersion()
        let versions = try directory.directory(Self.versions)
        for version in try Self.versionNames(in: versions) where version != installed {
            try versions.rename(version.description, to: staging, as: uniqueName())
        }
    }

    private static func versionNames(
        in directory: Directory
    ) throws(FileSystemError) -> [Version] {
        try directory.names().compactMap {
            String(validating: $0, as: UTF8.self).flatMap { Version($0) }
        }
    }

    /// Restores a directory in which nothing is installed.
    ///
    /// `state.json` stays: a kill switch must remain effective although nothing was installed. So does a trust root,
    /// with the lock file as the mark of the directory if there is no state.
    /// Only for the owner of the lock.
    static func withdraw(_ directory: Directory) throws(FileSystemError) {
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

    /// Removes the staging, and partial files where none is left that a later run could continue.
    static func clean(_ directory: Directory) throws(FileSystemError) {
        try directory.removeTree(stagingName)
        if try directory.status(parts)?.kind == .directory {
            try directory.removeEmptyDirectory(parts)
        }
    }

    /// Removes partial files: what was to be installed is.
    static func removeParts(_ directory: Directory) throws(FileSystemError) {
        if try directory.status(parts) != nil { try directory.removeTree(parts) }
    }
}
