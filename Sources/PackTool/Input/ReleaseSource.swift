import PackGround
import PackRelease
import PackSettings
import PackZip

/// A release to package or hash: a build directory or a package.
///
/// ``NamedRelease`` also reads other sources. The help of each command documents whether it accepts
/// an installation.
enum ReleaseSource {
    /// The content of the release.
    ///
    /// - Parameters:
    ///   - exclusions: The patterns for a build; they do not apply to other sources.
    ///   - takesInstallation: Whether an installation is accepted for its current release.
    static func release(
        _ path: String, excluding exclusions: Exclusions, takesInstallation: Bool = false,
        _ console: Console
    ) async throws -> (release: Release, leftOut: LeftOut) {
        try BuildDirectory.refuseRemote(path)
        if takesInstallation, let installed = try InstalledRelease.find(path) {
            return (try await installed.scan(console).release, LeftOut())
        }
        let (directory, name) = try ReadableFile.locateExisting(path)
        let jobs = try console.environment.jobs()
        switch try directory.status(name)?.kind {
        case .file:
            let release = try await PackageFile.release(
                path, name, in: directory, progress: console.progress, console)
            try JunkFiles.refuse(in: release, of: path)
            return (release, LeftOut())
        case .other:
            throw Failure.inputNotARelease(path: path)
        default:
            try BuildDirectory.check(path)
            let scan = try await BuildScan.scan(
                path, excluding: exclusions, jobs: jobs, progress: console.progress)
            console.note(scan.leftOut)
            return (scan.release, scan.leftOut)
        }
    }

    /// The release as a directory of files; a package is unpacked into a temporary one.
    ///
    /// Exclusions only apply to builds. A package's compressed entries are not reused: the same
    /// content gives the same bytes, regardless of the tool that packed it.
    ///
    /// - Parameter opener: Opens origins, which stand for the channel's current release or the
    ///   named one; `nil` rejects origins. With an opener, installations are also accepted.
    ///   - hashes: Those of earlier runs for a build.
    static func withBuild<Result>(
        _ path: String, excluding exclusions: Exclusions, origins opener: OriginOpener? = nil,
        hashes: HashFile? = nil,
        takesInstallation: Bool = false, _ console: Console,
        _ body: (BuildScan) async throws -> Result
    ) async throws -> Result {
        if let opener, let origin = try OriginRelease.find(path, opener) {
            return try await withUnpacked(origin, opener.settings.channel(), console, body)
        }
        if takesInstallation || opener != nil, let installed = try InstalledRelease.find(path) {
            return try await body(installed.scan(console))
        }
        try BuildDirectory.refuseRemote(path)
        let (directory, name) = try ReadableFile.locateExisting(path)
        let jobs = try console.environment.jobs()
        let kind = try directory.status(name)?.kind
        if kind == .other { throw Failure.inputNotARelease(path: path) }
        guard kind == .file else {
            try BuildDirectory.check(path)
            let scan = try await BuildScan.scan(
                path, excluding: exclusions, hashes: hashes?.hashes, jobs: jobs,
                progress: console.progress)
            hashes?.save()
            console.note(scan.leftOut)
            do {
                return try await body(scan)
            } catch {
                // Maybe a kept hash is wrong, so the next run reads every file.
                if (error as? Failure)?.code == .buildChangedWhileRead { hashes?.discard() }
                throw error
            }
        }
        let release = try await PackageFile.release(path, name, in: directory, console)
        try JunkFiles.refuse(in: release, of: path)
        return try await withUnpacked(name, in: directory, expecting: release, console, body)
    }

    /// Unpacks the package of an origin's release.
    static func withUnpacked<Result>(
        _ origin: OriginRelease, _ channel: Channel, _ console: Console,
        _ body: (BuildScan) async throws -> Result
    ) async throws -> Result {
        try await origin.withPackage(channel) { name, directory, release in
            try await withUnpacked(name, in: directory, expecting: release, console, body)
        }
    }

    private static func withUnpacked<Result>(
        _ name: String, in directory: Directory, expecting release: Release, _ console: Console,
        _ body: (BuildScan) async throws -> Result
    ) async throws -> Result {
        let jobs = try console.environment.jobs()
        return try await TemporaryDirectory.with(console) { target in
            try await Unpacker(name, in: directory, expecting: release)
                .unpack(into: target, jobs: jobs, progress: console.progress)
            let scan = try await BuildScan.scan(target.path, jobs: jobs)
            // The unpacked directory must be equal to the package's release.
            guard scan.release == release else {
                try JunkFiles.refuse(in: release, of: directory.display(name))
                throw Failure.buildChangedWhileRead(path: target.path)
            }
            return try await body(scan)
        }
    }
}

extension Failure.Code {
    static let inputPackageJunk = Self("input.package-junk")
    static let inputNotARelease = Self("input.not-a-release")
}

extension Failure {
    /// A package with files that are excluded from every build: unpacked, it would have another
    /// version.
    fileprivate static func inputPackageJunk(path: String, names: [String]) -> Failure {
        Failure(
            .inputPackageJunk,
            "'\(path)' contains \(counted(names.count, "junk file")) that "
                + "\(names.count == 1 ? "is" : "are") never shipped: "
                + names.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
                + (names.count > 5 ? ", …" : ""))
    }

    /// A path that is neither a build nor a package.
    static func inputNotARelease(path: String) -> Failure {
        Failure(
            .inputNotARelease, "'\(path)' is a pipe or a device, not a build or a package")
    }
}

extension JunkFiles {
    /// Rejects the release of a package if it has junk files.
    fileprivate static func refuse(in release: Release, of path: String) throws(Failure) {
        let names = release.assets.map(\.path).filter(isJunk(in:))
        guard names.isEmpty else {
            throw .inputPackageJunk(path: path, names: names.map { printable($0.bytes) })
        }
    }
}
