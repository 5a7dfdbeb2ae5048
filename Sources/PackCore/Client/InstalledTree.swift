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
        let file = StateFile(directory: directory)
        guard try directory.status(StateFile.name)?.kind == .file else { return .none }
        let state: InstallState
        do {
            guard let found = try file.read() else { return .none }
            state = found
        } catch let error as Failure where error.code == .installDamagedState {
            // A build may have a file of that name, but no 'current' that links to a version.
            guard try Installation.linkedVersion(in: directory) != nil else { return .none }
            throw error
        }
        guard case .tree(let version) = state.current,
            try Installation.hasTree(version, in: directory)
        else { return .empty }
        return .release(version, path: Installation.treePath(version))
    }
}
