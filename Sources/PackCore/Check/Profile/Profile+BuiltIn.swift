extension Profile {
    /// The client of article S003 (docs/sources.md#s003): a flat cache, looked up by the last
    /// component of the URL.
    ///
    /// Its `startURLSchemeTask` splits `absoluteString` at `/`, cuts the last piece at `?`, decodes
    /// nothing, answers without headers, and requests missing files over http.
    package static let basenameCache = Profile(
        name: "basename-cache", about: "stores files flat, by the last component of their URL",
        minimumIOS: IOSVersion(11, 3),
        client: ClientModel(
            lookUp: .basename, query: .afterLastSlash, fragment: .keep, decodesPercent: false,
            schemeComparison: .exact, indexFile: .none, answersRanges: false, sendsCORS: false,
            fallback: .http, skipsExisting: true))

    /// Capacitor 4 and later: `capacitor://localhost`, files by `url.path`.
    ///
    /// From `WebViewAssetHandler.swift` and `Router.swift`: paths without an extension open the
    /// start page; `Range` is answered (docs/sources.md#capacitor, 5659); its own table contains
    /// the type of WebAssembly.
    package static let capacitor = Profile(
        name: "capacitor", about: "Capacitor 4 or later", scheme: "capacitor", hosts: ["localhost"],
        client: ClientModel(
            lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
            schemeComparison: .lower, indexFile: .startPage, answersRanges: true, sendsCORS: false,
            mediaTypes: ["wasm": "application/wasm"], fallback: .none, skipsExisting: false))

    /// cordova-ios 8 and later: `app://localhost`, files by `url.path`.
    ///
    /// From `CDVURLSchemeHandler.m`: the scheme is compared exactly; `Range` is answered
    /// (docs/sources.md#cordova-ios, 1481).
    package static let cordova = Profile(
        name: "cordova", about: "cordova-ios 8 or later", scheme: "app", hosts: ["localhost"],
        client: ClientModel(
            lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
            schemeComparison: .exact, indexFile: .startPage, answersRanges: true, sendsCORS: false,
            fallback: .none, skipsExisting: false))

    /// A modern handler: whole paths, ranges, CORS, no guessing.
    package static let pathStrict = Profile(
        name: "path-strict", about: "a handler of your own that finds files by the whole path",
        minimumIOS: IOSVersion(15),
        client: ClientModel(
            lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
            schemeComparison: .lower, indexFile: .none, answersRanges: true, sendsCORS: true,
            fallback: .none, skipsExisting: false))

    /// The named profiles.
    package static let builtIn: [Profile] = [.basenameCache, .capacitor, .cordova, .pathStrict]

    /// The built-in profile with a name.
    package static func builtIn(named name: String) -> Profile? {
        builtIn.first { $0.name == name }
    }
}
