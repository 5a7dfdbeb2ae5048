package import PackGround
package import PackOrigin
import PackRelease

/// Answers requests for an origin with the headers that `docs/guide/origin.md` requires of a CDN.
///
/// Only paths of an origin are served: `.packtool/` and other files of the directory are not found.
package struct OriginServer: Sendable {
    private let files: FileAnswer
    private let fault: ServeFault?
    private let fetched: FetchedFiles?

    /// Serves the origin in a directory.
    package init(_ root: Directory, fault: ServeFault? = nil) {
        files = FileAnswer(root: root)
        self.fault = fault
        fetched = nil
    }

    /// Serves the origin in a bucket or behind a web server.
    ///
    /// - Parameter scratch: A temporary directory for fetched files.
    package init(_ store: any OriginStore, scratch: Directory, fault: ServeFault? = nil) {
        files = FileAnswer(root: scratch)
        self.fault = fault
        fetched = FetchedFiles(store, into: scratch)
    }

    private static let short = "public, max-age=60, must-revalidate, no-transform"
    private static let checked = "public, no-cache, no-transform"
    private static let long = "public, max-age=31536000, immutable, no-transform"

    /// Answers a request.
    package func answer(_ request: ServeRequest) async throws -> ServeAnswer {
        if let refusal = FileAnswer.refusal(request) { return refusal }
        guard let names = request.names, let asset = try? AssetPath(names.joined(separator: "/")),
            let caching = Self.caching(names)
        else { return FileAnswer.missing }
        var path = names.joined(separator: "/")
        switch fault {
        case .missing where names[0] == OriginLayout.releases || names[0] == OriginLayout.objects:
            return FileAnswer.missing
        case .stale where path.hasSuffix("/pointer.json"):
            path = try await previous(of: path) ?? path
        default: break
        }
        guard let name = try await file(at: path, isLasting: caching == Self.long) else {
            return FileAnswer.missing
        }
        return try files.answer(
            request, path: name, type: FileAnswer.type(of: asset), caching: caching)
    }

    /// The path of an origin file below the root.
    private func file(at path: String, isLasting: Bool) async throws -> String? {
        guard let fetched else { return path }
        return try await fetched.name(of: path, isLasting: isLasting)
    }

    /// The `Cache-Control` value of a path; `nil` if no origin has such a path.
    private static func caching(_ names: [String]) -> String? {
        guard let first = names.first else { return nil }
        switch first {
        case OriginLayout.info: return names.count == 1 ? short : nil
        case OriginLayout.site:
            if names.joined(separator: "/") == OriginLayout.siteManifest { return checked }
            return names.count > 1 ? short : nil
        case OriginLayout.releases, OriginLayout.objects, OriginLayout.roots:
            return names.count > 1 ? long : nil
        case OriginLayout.channels:
            if names.count == 3, ["pointer.json", "pruned.json"].contains(names[2]) {
                return short
            }
            guard names.count == 4 else { return nil }
            return names[2] == "log" ? long : names[2] == "feeds" ? short : nil
        default: return nil
        }
    }

    /// The path of the previous pointer's log entry; `nil` if there is no previous pointer.
    private func previous(of path: String) async throws -> String? {
        let parts = path.pathComponents()
        guard parts.count == 3, let channel = try? Channel(String(parts[1])),
            let name = try await file(at: path, isLasting: false),
            let bytes = try? files.root.readFile(name, limit: Pointer.sizeLimit),
            let envelope = try? Envelope(decoding: bytes, payloadType: Envelope.pointerType),
            let pointer = try? PointerCoding.decode(envelope.payload),
            let previous = pointer.previous
        else { return nil }
        return OriginLayout.logEntry(channel, previous)
    }
}

/// An intentional fault of the server, for testing how an app handles it.
package enum ServeFault: String, CaseIterable, Sendable {
    /// Serves the previous pointer instead of the current one.
    case stale
    /// Releases and objects are missing.
    case missing = "404"
    /// Limits the rate to 32 KiB/s.
    case slow
    /// Ends responses of more than 4 KiB in the middle.
    case cut
}
