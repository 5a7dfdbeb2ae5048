import PackGround
import PackOrigin
import PackRelease

/// The headers of each path (`docs/formats.md`).
enum S3Headers {
    /// Stores the SHA-256 of the content, because an ETag may not contain a hash.
    static let digest = "x-amz-meta-sha256"
    private static let changing = "public, max-age=60, must-revalidate, no-transform"
    private static let lasting = "public, max-age=31536000, immutable, no-transform"

    static func of(_ place: String, sha256: Digest) -> [HTTPHeader] {
        [
            HTTPHeader("Cache-Control", cacheControl(place)),
            HTTPHeader("Content-Type", mediaType(place)),
            HTTPHeader(digest, sha256.description),
        ]
    }

    static func cacheControl(_ place: String) -> String {
        place.hasPrefix("\(OriginLayout.workspace)/")
            ? "private, no-store" : isLasting(place) ? lasting : changing
    }

    /// Whether the content at a path never changes.
    static func isLasting(_ place: String) -> Bool {
        switch place.prefix(while: { $0 != "/" }) {
        case OriginLayout.releases, OriginLayout.objects, OriginLayout.roots: true
        case OriginLayout.channels: place.contains("/log/")
        default: false
        }
    }

    /// Whether the content at a path never changes and even a prune keeps it.
    static func isKept(_ place: String) -> Bool {
        isLasting(place) && !place.hasPrefix("\(OriginLayout.releases)/")
            && !place.hasPrefix("\(OriginLayout.objects)/")
    }

    /// Whether a write to the path requires that the file has not changed.
    static func isReplaced(_ place: String) -> Bool {
        place == OriginLayout.info || place.hasSuffix("/pointer.json")
    }

    static func mediaType(_ place: String) -> String {
        let name = place.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(place).utf8
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst() }
        let type = MediaType.of(
            ending: (ending.map(Array.init) ?? []).map {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
            })
        guard place.hasBytes("\(OriginLayout.site)/"), type.hasPrefix("text/") else {
            return place.hasPrefix("\(OriginLayout.workspace)/") ? "application/json" : type
        }
        return "\(type); charset=utf-8"
    }
}
