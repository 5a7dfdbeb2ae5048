/// What the system of a phone says of a file's type by its name: `UTType`'s preferred MIME type.
///
/// A handler that asks nobody else has no type for the rest and sends none, or
/// `application/octet-stream`.
enum DeviceMediaType {
    /// Whether the handler can name the type of such a file.
    static func isKnown(_ ending: String, to profile: Profile) -> Bool {
        if profile.client.mediaTypes[ending] != nil { return true }
        if let first = firstRelease[ending] { return profile.minimumIOS >= first }
        return known.contains(ending)
    }

    /// The release of iOS that a type came with; `nil` where all have it or none does.
    static func release(of ending: String) -> Profile.IOSVersion? { firstRelease[ending] }

    /// Whether scripts load such files, so that no page has to name them.
    static func isLoadedByScripts(_ ending: String) -> Bool { ["mjs", "wasm"].contains(ending) }

    /// Whether a wrong type keeps the content from being used.
    ///
    /// A module is refused. WebAssembly does not compile while it loads, but what Emscripten and wasm-bindgen write tries again without.
    static func isStrict(_ ending: String) -> Bool { ending == "mjs" }

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
        // Old Internet Explorer's alone: WebKit passes it over.
        "eot",
        "vtt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pages", "key", "numbers",
    ]
}
