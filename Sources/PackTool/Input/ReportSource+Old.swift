import PackArchive
import PackCheck
import PackDeltaFile
import PackGround
import PackOrigin
import PackProfile
import PackRelease
import PackSettings

/// The releases of a report, with the available data.
extension ReportSource {
    /// The new release in a directory.
    struct Build {
        let path: String
        let scan: BuildScan
        let origin: OriginRelease?
    }

    /// The old release.
    struct Old {
        let named: NamedRelease
        /// The release as named on the command line.
        let path: String
        /// Indexes its files for a check with the settings of a run; `nil` for a manifest.
        var site: (@Sendable (CheckRun, Profile) -> SiteIndex)?
        /// The origin containing it.
        var origin: OriginRelease?
        /// Its manifest, if it is a release of an origin.
        var manifest: Manifest?
        /// The size of its package, if known.
        var packageSize: UInt64?
        /// Its package, if available, whose compressed entries can be reused.
        var package: Package?

        struct Package {
            let name: String
            let directory: Directory
            /// The reference in the manifest.
            let published: ContentReference?
        }

        /// The package, if it was compressed at this level by the same compressor.
        ///
        /// An unusable package only costs time.
        func archive(_ level: CompressionLevel) -> ReuseArchive? {
            package.flatMap {
                try? ReuseArchive.open(
                    $0.name, in: $0.directory, level: level, published: $0.published)
            }
        }
    }

    func withBuild<Result>(
        _ text: String, _ body: (Build) async throws -> Result
    ) async throws -> Result {
        if let origin = try OriginRelease.find(text, opener) {
            return try await ReleaseSource.withUnpacked(origin, settings.channel(), console) {
                try await body(Build(path: withoutSecrets(text), scan: $0, origin: origin))
            }
        }
        return try await ReleaseSource.withBuild(
            text, excluding: settings.exclusions, origins: opener, console
        ) { scan in
            try await body(Build(path: text, scan: scan, origin: nil))
        }
    }

    func withOld<Result>(
        _ text: String, beside new: Release, _ body: (Old) async throws -> Result
    ) async throws -> Result {
        if let origin = try OriginRelease.find(text, opener) {
            guard origin.directory != nil else {
                return try await withRemote(origin, at: withoutSecrets(text), body)
            }
            return try await withOld(origin, at: text, body)
        }
        try BuildDirectory.refuseRemote(text)
        let (directory, name) = try ReadableFile.locateExisting(text)
        let isFile = try directory.status(name)?.kind == .file
        if isFile, text.hasSuffix(".json") {
            return try await NamedRelease.with(
                text, NamedRelease.Request(opener), beside: new, console
            ) {
                var old = Old(named: $0, path: text)
                old.packageSize = $0.packageSize
                return try await body(old)
            }
        }
        return try await withBuild(text) { before in
            var old = Old(scan: before.scan, path: text)
            if isFile {
                old.package = .init(name: name, directory: directory, published: nil)
                old.packageSize = try directory.status(name)?.size
            }
            return try await body(old)
        }
    }

    /// Over the network, a package is one request, and objects are hundreds.
    private func withRemote<Result>(
        _ origin: OriginRelease, at text: String, _ body: (Old) async throws -> Result
    ) async throws -> Result {
        let manifest = try await origin.manifest(settings.channel())
        return try await ReleaseSource.withUnpacked(origin, settings.channel(), console) { scan in
            var old = Old(scan: scan, path: text)
            old.origin = origin
            old.manifest = manifest
            old.packageSize = manifest.package?.size
            return try await body(old)
        }
    }

    /// Reads a release of an origin from its objects: its package would first have to be unpacked
    /// and hashed.
    private func withOld<Result>(
        _ origin: OriginRelease, at text: String, _ body: (Old) async throws -> Result
    ) async throws -> Result {
        let manifest = try await origin.manifest(settings.channel())
        let release = manifest.release
        let package = manifest.package
        let path = OriginLayout.package(release.version)
        var files = release.assets.map {
            ObjectReference(
                OriginLayout.objectPath($0), FileDigest(sha256: $0.sha256, size: $0.size))
        }
        if let package {
            files.append(
                ObjectReference(path, FileDigest(sha256: package.sha256, size: package.size)))
        }
        return try await origin.store.withFiles(files) { directory in
            var old = Old(
                named: NamedRelease(
                    release: release, content: AssetSource(objects: directory, release: release),
                    version: release.version.description),
                path: text)
            old.site = {
                SiteIndex(
                    release: release, objects: directory, profile: $1, options: $0.options)
            }
            old.origin = origin
            old.manifest = manifest
            old.packageSize = manifest.package?.size
            if let package {
                old.package = .init(name: path, directory: directory, published: package)
            }
            return try await body(old)
        }
    }
}

extension ReportSource.Old {
    /// A release in a directory.
    fileprivate init(scan: BuildScan, path: String) {
        self.init(
            named: NamedRelease(
                release: scan.release,
                content: AssetSource(tree: scan.directory, release: scan.release),
                version: scan.release.version.description),
            path: path,
            site: { SiteIndex(scan: scan, profile: $1, options: $0.options) })
    }
}
