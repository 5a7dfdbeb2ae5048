import PackCheck
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackRelease
import PackSettings

/// A release named by the user, with the available data.
struct NamedRelease {
    let release: Release
    /// The source of its content; `nil` for a manifest or a package.
    let content: AssetSource?
    /// The version to show: a manifest without hashes has its own.
    let version: String
    /// Files of the other release whose equality is unknown.
    var unknown: Set<AssetPath> = []
    /// Whether only names are known; sizes are 0.
    var isSeed = false
    /// The size of its package, if its manifest contains it.
    var packageSize: UInt64?

    /// The options for reading a release.
    struct Request {
        let opener: OriginOpener
        /// Whether the content of an origin's release is needed in addition to its manifest.
        var readsContent = true

        init(_ opener: OriginOpener) { self.opener = opener }

        var settings: Settings { opener.settings }
    }

    /// Reads a build directory, a package, a manifest, or a release of an origin or installation.
    ///
    /// - Parameter new: The newer release, needed to read a manifest without hashes; `nil` rejects
    ///   one.
    static func with<Result>(
        _ text: String, _ request: Request, beside new: Release? = nil, _ console: Console,
        _ body: (NamedRelease) async throws -> Result
    ) async throws -> Result {
        if let origin = try OriginRelease.find(text, request.opener) {
            return try await with(origin, request, console, body)
        }
        if let installed = try InstalledRelease.find(text) {
            return try await body(NamedRelease(of: installed.scan(console)))
        }
        let (directory, name) = try ReadableFile.locateExisting(text)
        let jobs = try console.environment.jobs()
        switch try directory.status(name)?.kind {
        case .file where name.hasSuffix(".json"):
            return try await body(
                manifest(ReadableFile.read(text, limit: Manifest.sizeLimit), text, new))
        case .file:
            let release = try await PackageFile.release(
                text, name, in: directory, progress: console.progress, console)
            return try await body(
                NamedRelease(
                    release: release, content: nil, version: release.version.description))
        case .other:
            throw Failure.inputNotARelease(path: text)
        default:
            let scan = try await BuildScan.scan(
                text, excluding: request.settings.exclusions, jobs: jobs, progress: console.progress
            )
            console.note(scan.leftOut)
            return try await body(NamedRelease(of: scan))
        }
    }

    private static func with<Result>(
        _ origin: OriginRelease, _ request: Request, _ console: Console,
        _ body: (NamedRelease) async throws -> Result
    ) async throws -> Result {
        let channel = try request.settings.channel()
        // Over the network, download one package instead of each file.
        if request.readsContent, origin.directory == nil {
            return try await ReleaseSource.withUnpacked(origin, channel, console) { scan in
                try await body(NamedRelease(of: scan))
            }
        }
        let release = try await origin.manifest(channel).release
        let version = release.version.description
        guard request.readsContent else {
            return try await body(NamedRelease(release: release, content: nil, version: version))
        }
        return try await origin.store.withObjects(of: release) { objects in
            let content = AssetSource(objects: objects, release: release)
            return try await body(
                NamedRelease(release: release, content: content, version: version))
        }
    }

    private static func manifest(
        _ bytes: [UInt8], _ path: String, _ new: Release?
    ) throws -> NamedRelease {
        guard let new, let seed = try LegacyManifest.decode(bytes, path: path) else {
            let manifest = try ManifestCoding.decode(bytes, path: path)
            return NamedRelease(
                release: manifest.release, content: nil,
                version: manifest.release.version.description, packageSize: manifest.package?.size)
        }
        let reading = seed.reading(beside: new, isHashed: ContentHash.isIn, assuming: .changed)
        return NamedRelease(
            release: reading.release, content: nil, version: seed.version,
            unknown: reading.unknown, isSeed: true)
    }
}

extension NamedRelease {
    /// A release with its files in a directory.
    init(of scan: BuildScan) {
        self.init(
            release: scan.release,
            content: AssetSource(tree: scan.directory, release: scan.release),
            version: scan.release.version.description)
    }
}

extension ReleaseDiff {
    /// The changes, with renamed files paired by content if both releases can be read, otherwise by
    /// name.
    init(from old: NamedRelease, to new: NamedRelease) throws {
        let pairs: [AssetPath: AssetPath] =
            if let before = old.content, let after = new.content {
                try ReleasePairs.byContent(from: before, to: after)
            } else {
                ReleasePairs.byName(from: old.release, to: new.release)
            }
        self.init(from: old.release, to: new.release, pairs: pairs)
    }
}
