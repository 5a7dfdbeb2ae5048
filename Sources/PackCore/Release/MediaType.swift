package import PackGround

/// The media type of an asset, derived from its file name, for responses of a scheme handler.
///
/// Types are those registered with IANA; JavaScript is text/javascript (docs/sources.md#rfc9239).
package enum MediaType {
    /// The media type of a path; `application/octet-stream` for unknown extensions.
    package static func of(_ path: AssetPath) -> String { of(ending: ending(of: path)) }

    /// The text after the last dot of a file name, in lower-case ASCII; empty if there is no dot.
    package static func ending(of path: AssetPath) -> [UInt8] {
        let name = path.lastComponent
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return [] }
        return name[(dot + 1)...].map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// The media type of an extension in lower-case ASCII.
    package static func of(ending: [UInt8]) -> String {
        byEnding[String(decoding: ending, as: UTF8.self)] ?? fallback
    }

    private static let fallback = "application/octet-stream"

    private static let byEnding: [String: String] = [
        "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
        "js": "text/javascript", "mjs": "text/javascript", "cjs": "text/javascript",
        "css": "text/css", "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "xml": "application/xml", "txt": "text/plain",
        "md": "text/markdown", "csv": "text/csv", "ics": "text/calendar", "vtt": "text/vtt",
        "wasm": "application/wasm", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip", "svg": "image/svg+xml", "png": "image/png", "apng": "image/apng",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "ico": "image/vnd.microsoft.icon",
        "bmp": "image/bmp", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf",
        "otf": "font/otf", "eot": "application/vnd.ms-fontobject", "mp3": "audio/mpeg",
        "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg",
        "wav": "audio/wav", "flac": "audio/flac", "mp4": "video/mp4", "m4v": "video/mp4",
        "webm": "video/webm", "mov": "video/quicktime", "m3u8": "application/vnd.apple.mpegurl",
        "ts": "video/mp2t", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
    ]
}
