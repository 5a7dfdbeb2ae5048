import PackGround

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

    /// Capacitor 6 and later on Android: `https://localhost`, files by `Uri.getPath`.
    ///
    /// From `WebViewLocalServer.java`: paths without a dot in their last component open the start
    /// page, `Range` is answered, and other missing files get status 404
    /// (docs/sources.md#capacitor).
    package static let capacitorAndroid = Profile(
        name: "capacitor-android", about: "Capacitor 6 or later, on Android", platform: .android,
        scheme: "https", hosts: ["localhost"], pageOrigin: .https,
        client: .intercepting(
            indexFile: .startPage, answersRanges: true, mediaTypes: ClientModel.scriptTypes,
            answersServiceWorkers: true))

    /// cordova-android 10 and later: `https://localhost`.
    ///
    /// From `SystemWebViewClient.java`: only the empty path opens `index.html`, and requests for
    /// missing files go to the network, where nothing answers (docs/sources.md#cordova-android).
    package static let cordovaAndroid = Profile(
        name: "cordova-android", about: "cordova-android 10 or later", platform: .android,
        scheme: "https", hosts: ["localhost"], pageOrigin: .https,
        client: .intercepting(
            indexFile: .root, mediaTypes: ClientModel.scriptTypes, answersServiceWorkers: true))

    /// `WebViewAssetLoader` of androidx.webkit with a handler for `/assets/`.
    ///
    /// Its path handlers answer missing files with status 404, send no headers and read no
    /// `Range` (docs/sources.md#webview-asset-loader).
    package static let assetLoader = Profile(
        name: "asset-loader", about: "Google's WebViewAssetLoader, on Android", platform: .android,
        scheme: "https", hosts: ["appassets.androidplatform.net"], pageOrigin: .https,
        client: .intercepting(indexFile: .none, mediaTypes: ClientModel.scriptTypes),
        root: "/assets/")

    /// An Android app that answers its own https addresses in `shouldInterceptRequest`, else from
    /// the network.
    package static let intercept = Profile(
        name: "intercept", about: "intercepts your own https addresses, on Android",
        platform: .android, scheme: "https", pageOrigin: .https,
        client: .intercepting(indexFile: .none, fallback: .https))

    /// The named profiles.
    package static let builtIn: [Profile] = [
        .basenameCache, .capacitor, .cordova, .pathStrict, .capacitorAndroid, .cordovaAndroid,
        .assetLoader, .intercept,
    ]

    /// The built-in profile with a name.
    package static func builtIn(named name: String) -> Profile? {
        builtIn.first { $0.name == name }
    }
}

extension ClientModel {
    /// The types that the Android frameworks add to the system's.
    fileprivate static let scriptTypes = [
        "mjs": "application/javascript", "wasm": "application/wasm",
    ]

    /// A handler on Android, which gets requests from `shouldInterceptRequest`: whole paths,
    /// decoded, without query.
    fileprivate static func intercepting(
        indexFile: IndexFile, answersRanges: Bool = false, mediaTypes: [String: String] = [:],
        fallback: Fallback = .none, answersServiceWorkers: Bool = false
    ) -> ClientModel {
        ClientModel(
            lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
            schemeComparison: .lower, indexFile: indexFile, answersRanges: answersRanges,
            sendsCORS: false, mediaTypes: mediaTypes, fallback: fallback, skipsExisting: false,
            answersServiceWorkers: answersServiceWorkers)
    }
}
