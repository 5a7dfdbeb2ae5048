package import PackGround
import PackOrigin
package import PackRelease
import PackZip

/// The feed of cordova-hot-code-push: `chcp.json`, and `chcp.manifest` with the MD5 of each file.
///
/// The client compares `release` with its own by equality, reads `<content_url>/chcp.manifest`, and
/// downloads the changed files from `<content_url>/<path>`, comparing each MD5. Only `site/` has
/// files by their paths, so only the default channel can have this feed.
///
/// Source: https://github.com/nordnet/cordova-hot-code-push at 01637672,
/// `src/android/src/com/nordnetab/chcp/main/updater/UpdateLoaderWorker.java`,
/// `…/config/ContentConfig.java`, `…/config/ContentManifest.java`, `…/utils/URLUtility.java`, and
/// `src/ios/Config/HCPContentConfig.m`, which installs nothing without `update`.
package enum CordovaHCPFeed {
    static func document(of offer: FeedOffer) -> [UInt8] {
        JSONWriter.write(
            .members([
                "release": .string(offer.entry.version.description),
                "content_url": .string(offer.base.url(of: OriginLayout.site)),
                "update": .string("start"),
            ]))
    }

    static func problem(of release: Release, on channel: Channel, at base: BaseURL) -> String? {
        guard channel == .production else {
            return "the client needs files by their paths, and only channel "
                + "'\(Channel.production)' has them, in \(OriginLayout.site)/"
        }
        for name in ["chcp.json", "chcp.manifest"] where release.has(name) {
            return "the build contains \(name), which the client writes itself: exclude it"
        }
        // The client joins address and path, and parses the result without encoding the path.
        let bad = [UInt8(ascii: "?"), UInt8(ascii: "#")]
        if let asset = release.assets.first(where: { $0.path.bytes.contains(where: bad.contains) })
        {
            return "the client cannot request '\(printable(asset.path.bytes))': it does not "
                + "encode '?' and '#'"
        }
        // It encodes every percent sign.
        guard base.description.contains("%") else { return nil }
        return "the client cannot use the base URL '\(base)': it encodes '%' a second time"
    }

    /// The content of `chcp.manifest`.
    ///
    /// - Parameters:
    ///   - package: The name of the release's package.
    ///   - directory: The directory of the package.
    /// - Throws: ``Failure`` for a package with other content.
    package static func manifest(
        of release: Release, package: String, in directory: Directory, jobs: Int
    ) async throws -> [UInt8] {
        let found = FoundHashes()
        try await PackageReader(package, in: directory, expecting: release)
            .readAll(jobs: jobs, progress: nil, by: ZlibDecoder.init) { MD5Sink(found) }
        let hashes = found.hashes.withLock { $0 }
        return JSONWriter.write(
            .array(
                release.assets.map { asset in
                    .members([
                        "file": .string(asset.path.description),
                        "hash": hashes[asset.path].map { .string($0) },
                    ])
                }))
    }
}

private final class FoundHashes: Sendable {
    let hashes = Locked<[AssetPath: String]>([:])
}

private struct MD5Sink: PackageReader.ContentSink {
    private let found: FoundHashes
    private var md5 = MD5Hasher()

    init(_ found: FoundHashes) { self.found = found }

    mutating func begin(_ path: AssetPath) { md5 = MD5Hasher() }

    mutating func receive(_ piece: RawSpan) { md5.update(piece) }

    func end(_ asset: Asset) { found.hashes.withLock { $0[asset.path] = md5.finish() } }
}
