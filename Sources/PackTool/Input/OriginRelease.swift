import PackCore
import PackSettings

/// A release of an origin as a user names it: `cdn`, `cdn@VERSION` or `cdn@LABEL`.
struct OriginRelease {
    /// The path of the origin.
    let origin: String
    /// The version or label; `nil` for the channel's current release.
    let name: String?

    /// What a text names if that is a release of an origin; `nil` for anything else.
    ///
    /// - Throws: ``InvalidWord`` for a URL that is no `file://` URL; ``FileSystemError``.
    static func find(_ text: String) throws -> OriginRelease? {
        let path = try localOrigin(text)
        if try isOrigin(path) { return OriginRelease(origin: path, name: nil) }
        // A file of that name counts, also with an '@' in it. A label may contain one, too.
        guard try !exists(path) else { return nil }
        for at in path.indices.reversed() where path[at] == "@" {
            let origin = String(path[..<at])
            let name = String(path[path.index(after: at)...])
            if !name.isEmpty, !origin.isEmpty, try isOrigin(origin) {
                return OriginRelease(origin: origin, name: name)
            }
        }
        return nil
    }

    /// Whether a directory has what every origin has after its first publish.
    private static func isOrigin(_ path: String) throws -> Bool {
        guard let place = try? ReadableFile.locateExisting(path),
            try place.directory.status(place.name)?.kind == .directory
        else { return false }
        let directory = try Directory.open(path)
        return try [OriginLayout.channels, OriginLayout.releases, OriginLayout.objects].allSatisfy {
            try directory.status($0)?.kind == .directory
        }
    }

    private static func exists(_ path: String) throws -> Bool {
        guard let place = try? ReadableFile.locate(path) else { return false }
        return try place.directory.status(place.name) != nil
    }

    /// The manifest of the release, checked against the pointer or log entry that names it.
    ///
    /// - Throws: ``OriginError``, ``ManifestError``, an error of the store.
    func manifest(_ channel: Channel) async throws -> Manifest {
        let history = OriginHistory(try StoreOpener.list(origin), policy: .recordedInLog)
        if let name { return try await history.manifest(named: name) }
        guard let published = try await history.reader.pointer(channel) else {
            throw OriginError.nothingPublished(channel: channel.description, origin: origin)
        }
        return try await history.reader.manifest(of: published)
    }

    /// Hands out the release's package, which is checked while it is read.
    func withPackage<Result>(
        _ channel: Channel, _ body: (String, Directory, Release) async throws -> Result
    ) async throws -> Result {
        let manifest = try await manifest(channel)
        let place = OriginLayout.package(manifest.release.version)
        guard let package = manifest.package else { throw OriginError.missing(place: place) }
        let content = FileDigest(sha256: package.sha256, size: package.size)
        return try await StoreOpener.list(origin).withFiles([PlacedContent(place, content)]) {
            try await body(place, $0, manifest.release)
        }
    }
}
