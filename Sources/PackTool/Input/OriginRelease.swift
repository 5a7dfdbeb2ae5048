import PackGround
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// A release of an origin as named by users: `cdn`, `cdn@VERSION`, `s3://shop-cdn/shop@LABEL`.
struct OriginRelease {
    /// The origin's address, without secrets.
    let origin: String
    /// The version or label; `nil` for the channel's current release.
    let name: String?
    let store: any OriginStore
    /// The path of the origin if it is a directory.
    let directory: String?

    /// The release named by a text; `nil` if the text does not name an origin.
    ///
    /// - Throws: ``Failure`` for an invalid address.
    static func find(_ text: String, _ opener: OriginOpener) throws -> OriginRelease? {
        if OriginAddress(text).isRemote {
            let (address, name) = divide(text)
            return try OriginRelease(address, name, opener)
        }
        guard let (path, name) = try findDirectory(text) else { return nil }
        return try OriginRelease(path, name, opener)
    }

    /// The directory of the origin named by a text; `nil` for anything else.
    static func findDirectory(_ text: String) throws -> (path: String, name: String?)? {
        if OriginAddress(text).isRemote { return nil }
        let path = try localOrigin(text)
        if try isOrigin(path) { return (path, nil) }
        // An existing file takes precedence, even if its name contains '@'. A label may also
        // contain '@'.
        guard try !exists(path) else { return nil }
        for at in path.indices.reversed() where path[at] == "@" {
            let origin = String(path[..<at])
            let name = String(path[path.index(after: at)...])
            if !name.isEmpty, !origin.isEmpty, try isOrigin(origin) { return (origin, name) }
        }
        return nil
    }

    /// Opens an origin by its address.
    init(_ address: String, _ name: String?, _ opener: OriginOpener) throws {
        let kind = OriginAddress(address)
        store = try opener.open(kind)
        directory = kind.isRemote ? nil : try localOrigin(address)
        origin = directory ?? store.address
        self.name = name
    }

    /// Splits a text at the last `@` of its path.
    ///
    /// The meaning of an `@` is decided without network requests. A trailing `@` belongs to neither
    /// part: `s3://shop-cdn/a@b@` is the current release of the origin `a@b`.
    private static func divide(_ text: String) -> (address: String, name: String?) {
        guard let start = text.firstRange(of: "://")?.upperBound,
            let path = text[start...].firstSlash,
            let at = text[path...].utf8.lastIndex(of: UInt8(ascii: "@"))
        else { return (text, nil) }
        let name = String(text[text.utf8.index(after: at)...])
        return (String(text[..<at]), name.isEmpty ? nil : name)
    }

    /// Whether a directory has the structure of every published origin.
    private static func isOrigin(_ path: String) throws -> Bool {
        guard let location = try? ReadableFile.locateExisting(path),
            try location.directory.status(location.name)?.kind == .directory
        else { return false }
        let directory = try Directory.open(path)
        return try [OriginLayout.channels, OriginLayout.releases, OriginLayout.objects].allSatisfy {
            try directory.status($0)?.kind == .directory
        }
    }

    private static func exists(_ path: String) throws -> Bool {
        guard let location = try? ReadableFile.locate(path) else { return false }
        return try location.directory.status(location.name) != nil
    }

    // MARK: Content

    private var reader: OriginReader { OriginReader(store, policy: .recordedInLog) }

    /// The pointer of a channel.
    ///
    /// - Throws: ``Failure``, also if there is none; an error of the store.
    func current(_ channel: Channel) async throws -> OriginReader.Published {
        guard let published = try await reader.pointer(channel) else {
            throw Failure.originNothingPublished(channel: channel.description, origin: origin)
        }
        return published
    }

    /// The manifest of the release, verified against its pointer or log entry.
    ///
    /// At a signed origin, the origin's own keys must have signed that pointer or entry.
    ///
    /// - Throws: ``Failure``; an error of the store.
    func manifest(_ channel: Channel) async throws -> Manifest {
        let trust = try await OriginTrust.read(store)
        guard let name else {
            let current = try await current(channel)
            try await trust.check(current, reader)
            return try await reader.manifest(of: current)
        }
        if let store = store as? any ListingStore {
            let history = OriginHistory(store, policy: .recordedInLog)
            let offer = try await history.offer(named: name)
            try trust.check(entry: offer)
            return try await history.manifest(offered: offer)
        }
        let offer = try await reader.offer(named: name, upTo: current(channel))
        try trust.check(entry: offer)
        return try await reader.manifest(of: offer)
    }

    /// The current and previous live pointers of the channel, the newest first.
    ///
    /// - Parameter limit: The maximum number; at most 20 over HTTP, which needs a request for each.
    func past(_ channel: Channel, limit: Int) async throws -> [Pointer] {
        let current = try await current(channel)
        if let store = store as? any ListingStore {
            return try await OriginHistory(store, policy: .recordedInLog)
                .past(channel, upTo: current.pointer.sequence, limit: limit).compactMap(\.pointer)
        }
        var found: [Pointer] = []
        try await reader.forEachBefore(current, limit: min(limit, 20)) {
            found.append($0.pointer)
            return false
        }
        return found
    }

    /// Provides the release's package, which is verified while being read.
    func withPackage<Result>(
        _ channel: Channel, _ body: (String, Directory, Release) async throws -> Result
    ) async throws -> Result {
        let manifest = try await manifest(channel)
        let path = OriginLayout.package(manifest.release.version)
        guard let package = manifest.package else { throw Failure.originMissing(path: path) }
        let content = FileDigest(sha256: package.sha256, size: package.size)
        return try await store.withFiles([ObjectReference(path, content)]) {
            try await body(path, $0, manifest.release)
        }
    }
}
