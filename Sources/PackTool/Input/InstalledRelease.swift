import PackClient
import PackGround
import PackRelease

/// The current release of an installation, given by the installation's directory.
struct InstalledRelease {
    let version: Version
    /// The directory of its files.
    let path: String

    /// The current release if a text names a local installation.
    ///
    /// - Throws: ``NothingInstalled``; ``Failure`` for a damaged installation;
    ///   ``Failure``.
    static func find(_ text: String) throws -> InstalledRelease? {
        guard FileStatus.following(text)?.kind == .directory else { return nil }
        switch try InstalledTree.find(in: Directory.open(text)) {
        case .none: return nil
        case .empty: throw Failure.inputNothingInstalled(path: text)
        case .release(let version, let path):
            return InstalledRelease(
                version: version, path: text.hasSuffix("/") ? text + path : "\(text)/\(path)")
        }
    }

    /// Scans its files.
    ///
    /// Exclusions only apply to builds. Files modified on the device are included as they are, with
    /// a note.
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

extension Failure.Code {
    static let inputNothingInstalled = Self("input.nothing-installed")
}

extension Failure {
    /// An installation without a release.
    static func inputNothingInstalled(path: String) -> Failure {
        Failure(
            .inputNothingInstalled, "the installation '\(path)' has no release yet",
            details: ["path": path])
    }
}
