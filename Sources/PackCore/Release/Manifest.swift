package import PackGround

/// A file at an origin, identified by hash and size.
package struct ContentReference: Equatable, Sendable {
    package let url: String
    package let sha256: Digest
    /// Size in bytes.
    package let size: UInt64

    package init(url: String, sha256: Digest, size: UInt64) {
        self.url = url
        self.sha256 = sha256
        self.size = size
    }
}

extension Directory {
    /// Whether a path is a regular file of this size and content.
    package func holds(_ content: ContentReference, at path: String) throws(Failure)
        -> Bool
    {
        try holds(FileDigest(sha256: content.sha256, size: content.size), at: path)
    }
}

/// One asset of a manifest.
package struct ManifestEntry: Equatable, Sendable {
    package let asset: Asset
    package let url: String
    /// Media type.
    package let type: String

    package init(asset: Asset, url: String, type: String) {
        self.asset = asset
        self.url = url
        self.type = type
    }
}

/// The content of `info.json` for a release (`docs/formats.md`).
package struct Manifest: Equatable, Sendable {
    package let app: AppName
    /// In listing order.
    package let entries: [ManifestEntry]
    package let release: Release
    /// The page the app opens first; `nil` if the build has no such page.
    package let launch: AssetPath?
    /// The custom URL scheme that serves the pages.
    package let scheme: String
    /// `nil` in a manifest written without a package.
    package let package: ContentReference?
    package let build: BuildInfo

    /// The provenance of a build.
    package struct BuildInfo: Equatable, Sendable {
        /// The source commit, if given.
        package let commit: String?
        /// The tool that wrote the manifest.
        package let tool: String

        package init(commit: String?, tool: String) {
            self.commit = commit
            self.tool = tool
        }
    }

    /// - Parameter release: The release of the entries, if it is known.
    package init(
        app: AppName, entries: [ManifestEntry], of release: Release? = nil, launch: AssetPath?,
        scheme: String, package: ContentReference?, build: BuildInfo
    ) {
        self.app = app
        self.entries = entries
        self.release = release ?? Release(assets: entries.map(\.asset))
        self.launch = launch
        self.scheme = scheme
        self.package = package
        self.build = build
    }

    /// The largest readable manifest, in bytes.
    package static let sizeLimit = 64 << 20
    /// The largest number of assets in a readable manifest.
    package static let assetLimit = 200_000
}

/// The settings of a manifest besides the release itself.
package struct ManifestRequest: Sendable {
    package let app: AppName
    package let baseURL: BaseURL
    /// The requested launch page; `nil` means `index.html` if there is one.
    package let launch: String?
    package let scheme: String
    package let build: Manifest.BuildInfo

    package init(
        app: AppName, baseURL: BaseURL, launch: String?, scheme: String, build: Manifest.BuildInfo
    ) {
        self.app = app
        self.baseURL = baseURL
        self.launch = launch
        self.scheme = scheme
        self.build = build
    }

    /// The manifest of a release.
    ///
    /// - Throws: ``Failure`` for names that cannot be packaged, or for a missing launch page.
    package func manifest(of release: Release, package: ContentReference?) throws -> Manifest {
        try check(release)
        return Manifest(
            app: app, entries: release.assets.map(entry), of: release,
            launch: try launchPage(of: release), scheme: scheme, package: package, build: build)
    }

    /// Throws the errors of ``manifest(of:package:)``.
    package func check(_ release: Release) throws {
        try release.checkPortable(root: "the build")
        _ = try launchPage(of: release)
    }

    /// The entry of an asset in ``manifest(of:package:)``.
    package func entry(of asset: Asset) -> ManifestEntry {
        ManifestEntry(
            asset: asset, url: baseURL.url(ofObject: asset),
            type: MediaType.of(asset.path))
    }

    /// Whether these are the entries of ``manifest(of:package:)``.
    package func hasMade(_ entries: [ManifestEntry], of release: Release) -> Bool {
        let isOurs = entries.elementsEqual(release.assets) {
            $0.asset == $1 && $0.type == MediaType.of($1.path)
        }
        return isOurs && baseURL.foreignURL(in: entries) == nil
    }

    /// The page that ``manifest(of:package:)`` opens first.
    package func launchPage(of release: Release) throws(Failure) -> AssetPath? {
        let wanted = Array((launch ?? "index.html").utf8)
        if let asset = release.assets.first(where: { $0.path.bytes == wanted }) {
            return asset.path
        }
        if let launch { throw .manifestNoLaunchPage(launch) }
        return nil
    }
}

extension Release {
    /// Throws all names that the strict zip profile rejects.
    package func checkPortable(root: String) throws(Failure) {
        let refused = assets.compactMap { asset in
            asset.path.portabilityProblem.map {
                RefusedName(name: printable(asset.path.bytes), problem: $0)
            }
        }
        guard refused.isEmpty else { throw Failure.buildNames(root: root, names: refused) }
    }
}

extension Failure.Code {
    package static let manifestNoLaunchPage = Self("manifest.no-launch-page")
    package static let manifestInvalid = Self("manifest.invalid")
    package static let manifestTooManyFiles = Self("manifest.too-many-files")
    package static let manifestTooLarge = Self("manifest.too-large")
}

/// A manifest that cannot be created or read.
extension Failure {
    package static func manifestNoLaunchPage(_ name: String) -> Failure {
        Failure(
            .manifestNoLaunchPage,
            "the launch page '\(printable(name.utf8))' is not in the build",
            details: ["name": name])
    }

    package static func manifestInvalid(path: String, problem: String) -> Failure {
        Failure(
            .manifestInvalid, "'\(path)' is not a valid manifest: \(problem)",
            exitCode: .verification)
    }

    /// More than readers accept.
    package static func manifestTooManyFiles(count: Int, limit: Int) -> Failure {
        Failure(
            .manifestTooManyFiles,
            "the build has \(grouped(count)) files; a manifest lists at most \(grouped(limit))")
    }

    /// Larger than readers accept; sizes in bytes.
    package static func manifestTooLarge(what: String, size: Int, limit: Int) -> Failure {
        Failure(
            .manifestTooLarge,
            "the \(what) would be \(grouped(size)) bytes; clients read at most \(grouped(limit))")
    }
}
