package import PackGround

/// The fields of a manifest that do not follow from the release's files.
///
/// Together with the files it determines the manifest's bytes. A delta carries it instead of
/// `info.json`: about 150 bytes, for any number of files (`docs/formats.md`).
package struct ManifestTemplate: Equatable, Sendable {
    package let app: AppName
    package let baseURL: BaseURL
    package let launch: AssetPath?
    package let scheme: String
    /// The package's content; its URL follows from base URL and version.
    package let package: FileDigest?
    package let build: Manifest.BuildInfo
    /// Media types by file name extension that differ from ``MediaType``'s.
    package let types: [[UInt8]: String]

    package init(
        app: AppName, baseURL: BaseURL, launch: AssetPath?, scheme: String, package: FileDigest?,
        build: Manifest.BuildInfo, types: [[UInt8]: String]
    ) {
        self.app = app
        self.baseURL = baseURL
        self.launch = launch
        self.scheme = scheme
        self.package = package
        self.build = build
        self.types = types
    }

    /// Extracts the template of a manifest.
    ///
    /// - Returns: `nil` if the template and the files would not reproduce the manifest.
    package init?(of manifest: Manifest) {
        guard let baseURL = Self.baseURL(of: manifest) else { return nil }
        var types: [[UInt8]: String] = [:]
        for entry in manifest.entries {
            let ending = MediaType.ending(of: entry.asset.path)
            if entry.type != MediaType.of(ending: ending) { types[ending] = entry.type }
        }
        self.init(
            app: manifest.app, baseURL: baseURL, launch: manifest.launch, scheme: manifest.scheme,
            package: manifest.package.map { FileDigest(sha256: $0.sha256, size: $0.size) },
            build: manifest.build, types: types)
        guard package(of: manifest.release) == manifest.package,
            manifest.entries.allSatisfy({ type(of: $0.asset) == $0.type }),
            baseURL.foreignURL(in: manifest.entries) == nil
        else { return nil }
    }

    private static func baseURL(of manifest: Manifest) -> BaseURL? {
        let url: String
        let path: [UInt8]
        if let package = manifest.package {
            url = package.url
            path = Array(OriginLayout.package(manifest.release.version).utf8)
        } else if let entry = manifest.entries.first {
            url = entry.url
            path = OriginLayout.object(entry.asset)
        } else {
            return nil
        }
        let suffix = "/" + PercentCoding.encodePath(path)
        guard url.utf8.count > suffix.utf8.count, url.hasSuffix(suffix) else { return nil }
        let base = try? BaseURL(
            String(decoding: url.utf8.dropLast(suffix.utf8.count), as: UTF8.self))
        return base?.url(of: path) == url ? base : nil
    }

    /// The reference to the package of a release.
    package func package(of release: Release) -> ContentReference? {
        package.map {
            ContentReference(
                url: baseURL.url(of: OriginLayout.package(release.version)), sha256: $0.sha256,
                size: $0.size)
        }
    }

    func entry(of asset: Asset) -> ManifestEntry {
        ManifestEntry(asset: asset, url: baseURL.url(ofObject: asset), type: type(of: asset))
    }

    private func type(of asset: Asset) -> String {
        let ending = MediaType.ending(of: asset.path)
        return types[ending] ?? MediaType.of(ending: ending)
    }
}
