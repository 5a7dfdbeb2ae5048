import PackGround

/// The media type derived by the system from a file name: `UTType`'s preferred MIME type on iOS,
/// that of `MimeTypeMap` on Android.
///
/// For other names, a handler without its own table sends no type, or `application/octet-stream`.
package enum DeviceMediaType {
    /// Whether the handler knows the type of files with an extension.
    package static func isKnown(_ ending: String, to profile: Profile) -> Bool {
        if profile.client.mediaTypes[ending] != nil { return true }
        if profile.platform == .android {
            return known.contains(ending) || knownToAndroid.contains(ending)
        }
        if let first = firstRelease[ending] { return profile.minimumIOS >= first }
        return known.contains(ending)
    }

    /// The iOS release that introduced a type; `nil` if all releases have it, or none.
    package static func release(
        of ending: String, for profile: Profile
    ) -> Profile.IOSVersion? { profile.platform == .ios ? firstRelease[ending] : nil }

    /// Whether files with an extension are loaded by scripts, so no page needs to reference them.
    package static func isLoadedByScripts(_ ending: String) -> Bool {
        ["mjs", "wasm"].contains(ending)
    }

    /// Whether a wrong type makes the content unusable.
    ///
    /// Browsers refuse a module with a wrong type. WebAssembly does not compile while streaming,
    /// but code by Emscripten and wasm-bindgen retries without streaming.
    package static func isStrict(_ ending: String) -> Bool { ending == "mjs" }

    /// Whether the handler sends files with an extension as scripts, as modules need.
    package static func isScript(_ ending: String, to profile: Profile) -> Bool {
        if let type = profile.client.mediaTypes[ending] {
            return type.hasSuffix("javascript") || type.hasSuffix("ecmascript")
        }
        return ending == "js"
    }

    /// Whether the handler sends files with an extension as style sheets.
    package static func isStyleSheet(_ ending: String, to profile: Profile) -> Bool {
        (profile.client.mediaTypes[ending] ?? (ending == "css" ? "text/css" : nil)) == "text/css"
    }

    /// The IANA types of files unknown to every iOS release, for the app's handler to send.
    package static let registered = [
        "glb": "model/gltf-binary", "gltf": "model/gltf+json", "mjs": "text/javascript",
        "wasm": "application/wasm",
    ]

    private static let firstRelease: [String: Profile.IOSVersion] = [
        "webp": Profile.IOSVersion(14), "avif": Profile.IOSVersion(16),
        "heic": Profile.IOSVersion(11),
    ]

    /// In addition to ``known``.
    private static let knownToAndroid: Set<String> = [
        "avif", "heic", "oga", "ogg", "ogv", "opus", "webm", "webp",
    ]

    private static let known: Set<String> = [
        "html", "htm", "xhtml", "css", "js", "json", "xml", "txt", "csv", "md", "rtf", "ics", "vcf",
        "svg", "png", "apng", "jpg", "jpeg", "jpe", "gif", "bmp", "ico", "tif", "tiff", "woff",
        "woff2", "ttf", "otf", "ttc", "mp3", "m4a", "aac", "wav", "aif", "aiff", "caf", "flac",
        "mp4",
        "m4v", "mov", "avi", "mpg", "mpeg", "m3u8", "ts", "pdf", "zip", "gz", "tar", "usdz", "epub",
        // Only old versions of Internet Explorer use it; WebKit ignores it.
        "eot",
        "vtt", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pages", "key", "numbers",
    ]
}
