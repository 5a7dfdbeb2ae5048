import PackGround
import PackOrigin
import PackRelease

/// The headers of each path (`docs/formats.md`).
enum S3Headers {
    /// Stores the SHA-256 of the content, because an ETag may not contain a hash.
    static let digest = "x-amz-meta-sha256"
    private static let changing = "public, max-age=60, must-revalidate, no-transform"
    /// For a file that must not be older than the one that leads to it.
    private static let checked = "public, no-cache, no-transform"
    private static let lasting = "public, max-age=31536000, immutable, no-transform"

    static func of(_ path: String, sha256: Digest) -> [HTTPHeader] {
        [
            HTTPHeader("Cache-Control", cacheControl(path)),
            HTTPHeader("Content-Type", mediaType(path)),
            HTTPHeader(digest, sha256.description),
        ]
    }

    static func cacheControl(_ path: String) -> String {
        path.hasPrefix("\(OriginLayout.workspace)/")
            ? "private, no-store"
            : isLasting(path) ? lasting : path == OriginLayout.siteManifest ? checked : changing
    }

    /// Whether the content at a path never changes.
    static func isLasting(_ path: String) -> Bool {
        switch path.prefix(while: { $0 != "/" }) {
        case OriginLayout.releases, OriginLayout.objects, OriginLayout.roots: true
        case OriginLayout.channels: path.contains("/log/")
        default: false
        }
    }

    /// Whether the content at a path never changes and even a prune keeps it.
    static func isKept(_ path: String) -> Bool {
        isLasting(path) && !path.hasPrefix("\(OriginLayout.releases)/")
            && !path.hasPrefix("\(OriginLayout.objects)/")
    }

    /// Whether a write to the path requires that the file has not changed.
    static func isReplaced(_ path: String) -> Bool {
        path == OriginLayout.info || path == OriginLayout.siteManifest
            || path.hasSuffix("/pointer.json") || isFeed(path)
    }

    private static func isFeed(_ path: String) -> Bool {
        let parts = path.pathComponents(omittingEmpty: false)
        return parts.count == 4 && parts[0] == OriginLayout.channels && parts[2] == "feeds"
    }

    static func mediaType(_ path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst() }
        let type = MediaType.of(
            ending: (ending.map(Array.init) ?? []).map {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
            })
        guard path.hasBytes("\(OriginLayout.site)/"), type.hasPrefix("text/") else {
            return path.hasPrefix("\(OriginLayout.workspace)/") ? "application/json" : type
        }
        return "\(type); charset=utf-8"
    }
}
