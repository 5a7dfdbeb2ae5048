/// The media type that a phone's system derives from a file name: `UTType`'s preferred MIME type.
///
/// For other names a handler that uses nothing else sends no type, or `application/octet-stream`.
package enum DeviceMediaType {
    /// Whether the handler knows the type of such a file.
    package static func isKnown(_ ending: String, to profile: Profile) -> Bool {
        if profile.client.mediaTypes[ending] != nil { return true }
        if let first = firstRelease[ending] { return profile.minimumIOS >= first }
        return known.contains(ending)
    }

    /// The iOS release that introduced a type; `nil` where all releases have it or none does.
    package static func release(of ending: String) -> Profile.IOSVersion? { firstRelease[ending] }

    /// Whether scripts load such files, so that no page has to name them.
    package static func isLoadedByScripts(_ ending: String) -> Bool {
        ["mjs", "wasm"].contains(ending)
    }

    /// Whether a wrong type makes the content unusable.
    ///
    /// A module is refused.
    /// WebAssembly does not compile while it loads, but the code of Emscripten and wasm-bindgen
    /// then tries again without streaming.
    package static func isStrict(_ ending: String) -> Bool { ending == "mjs" }

    /// The types of files that no iOS release knows, as IANA has them: what an app's handler would send.
    package static let registered = [
        "glb": "model/gltf-binary", "gltf": "model/gltf+json", "mjs": "text/javascript",
        "wasm": "application/wasm",
    ]

    private static let firstRelease: [String: Profile.IOSVersion] = [
        "webp": Profile.IOSVersion(14), "avif": Profile.IOSVersion(16),
        "heic": Profile.IOSVersion(11),
    ]

    private static let known: Set<String> = [
        "html", "htm", "xhtml", "css", "js", "json", "xml", "txt", "csv", "md", "rtf", "ics", "vcf",
        "svg", "png", "apng", "jpg", "jpeg", "jpe", "gif", "bmp", "ico", "tif", "tiff", "woff",
        "woff2", "ttf", "otf", "ttc", "mp3", "m4a", "aac", "wav", "aif", "aiff", "caf", "flac",
        "mp4",
        "m4v", "mov", "avi", "mpg", "mpeg", "m3u8", "ts", "pdf", "zip", "gz", "tar", "usdz", "epub",
        // Used by old Internet Explorer only; WebKit ignores it.
        "eot",
        "vtt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pages", "key", "numbers",
    ]
}
