package import PackGround
package import PackRelease

/// The current release of an installation, for commands that read it without its lock.
package enum InstalledTree {
    /// The kind of a directory.
    package enum Found: Equatable, Sendable {
        /// An installation, with the path of the current release's files below the directory.
        case release(Version, path: String)
        /// An installation without a release.
        case empty
        /// Not an installation.
        case none
    }

    /// Looks for an installation.
    ///
    /// - Throws: ``Failure/installDamagedState(path:problem:)`` for an installation with a damaged state;
    ///   ``Failure``.
    package static func find(in directory: Directory) throws -> Found {
        guard try directory.status(InstallState.fileName)?.kind == .file else { return .none }
        let version = try Installation.installedVersion(in: directory)
        do {
            guard try InstallState.read(in: directory) != nil else { return .none }
        } catch let error as Failure where error.code == .installDamagedState {
            // A build may have a file of that name, but no 'current' that links to a version.
            guard version != nil else { return .none }
            throw error
        }
        return version.map { .release($0, path: Installation.treePath($0)) } ?? .empty
    }
}
