import PackClient
import PackGround
import PackRelease

/// The release that an installation offers to its app, where a user names the directory of the installation.
struct InstalledRelease {
    let version: Version
    /// Its files.
    let path: String

    /// The current release if a text names an installation on this machine; `nil` for anything else.
    ///
    /// - Throws: ``NothingInstalled``; ``ClientError`` for a damaged installation; ``FileSystemError``.
    static func find(_ text: String) throws -> InstalledRelease? {
        guard FileStatus.following(text)?.kind == .directory else { return nil }
        switch try InstalledTree.find(in: Directory.open(text)) {
        case .none: return nil
        case .empty: throw NothingInstalled(path: text)
        case .release(let version, let path):
            return InstalledRelease(
                version: version, path: text.hasSuffix("/") ? text + path : "\(text)/\(path)")
        }
    }

    /// Reads its files.
    ///
    /// Nothing is left out of them: exclusions are for builds. Files that the device changed show as they are,
    /// with a note.
    func scan(_ console: Console) async throws -> BuildScan {
        let scan = try await BuildScan.scan(
            path, jobs: console.environment.jobs(), progress: console.progress)
        if scan.release.version != version {
            console.note(
                "the files in '\(path)' differ from the release: their version is \(scan.release.version); "
                    + "'packtool install' repairs them")
        }
        return scan
    }
}

/// An installation that has no release yet.
struct NothingInstalled: Remedied {
    let path: String

    var code: String { "input.nothing-installed" }
    var description: String { "the installation '\(path)' has no release yet" }
    var unaffected: String? { nil }
    var remedy: String { "run 'packtool install ORIGIN --into \(shellWord(path))' first" }
}
