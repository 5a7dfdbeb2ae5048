package import PackGround
package import PackURL

/// How the app loads packaged pages, and the capabilities of its handler.
///
/// Most rules depend on it: the same page works in one app and is blank in another.
package struct Profile: Equatable, Sendable {
    /// The scheme over which the app loads the pages themselves.
    package enum PageOrigin: String, CaseIterable, Sendable {
        /// The custom scheme.
        case custom
        /// https; only subresources come from the package.
        case https
        /// Either; a server or a script chooses by the user agent.
        case dual
    }

    /// A release of iOS; `11.3` is major 11, minor 3.
    package struct IOSVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
        package let major: Int
        package let minor: Int

        package init(_ major: Int, _ minor: Int = 0) {
            self.major = major
            self.minor = minor
        }

        /// Parses `13` or `11.3`; `nil` for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let major = Int(parts[0]),
                let minor = parts.count == 2 ? Int(parts[1]) : 0,
                (1...999).contains(major), (0...999).contains(minor)
            else { return nil }
            self.init(major, minor)
        }

        package var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

        package static func < (one: IOSVersion, other: IOSVersion) -> Bool {
            (one.major, one.minor) < (other.major, other.minor)
        }
    }

    /// The name of the built-in profile on which it is based.
    package var name: String
    /// The apps for which a built-in is intended, as half a sentence; empty for other profiles.
    package var about: String
    package let platform: AppPlatform
    /// The scheme of the handler as spelled in the app, including its case: a custom one on iOS,
    /// http or https on Android.
    package var scheme: String {
        didSet {
            canonicalScheme = Self.canonical(scheme)
            isIntercepted = platform == .android && Self.isWeb(canonicalScheme)
        }
    }
    /// The scheme as in a parsed URL: in lower case.
    package private(set) var canonicalScheme: [UInt8]
    /// Whether the handler answers http or https requests for the app's hosts, instead of those of
    /// a custom scheme.
    package private(set) var isIntercepted: Bool
    /// The hosts answered by the handler, the pages' own host first; if empty, hosts are not
    /// checked.
    package var hosts: [String]
    /// `https` for intercepted pages.
    package var pageOrigin: PageOrigin
    /// The oldest supported iOS release.
    package var minimumIOS: IOSVersion
    /// The oldest supported Android WebView, as a major version of Chrome.
    package var minimumWebView: Int
    /// Whether the app's settings give the oldest release of its platform, instead of a built-in
    /// profile.
    package var statesMinimum = false
    package var client: ClientModel
    /// The path under which the package's root is served, with a slash at both ends.
    package var root: String
    /// The page opened first by the app.
    package var launch: String
    /// Whether the app opens this page by the URL of the root, not by the file's own.
    ///
    /// Capacitor does so for `index.html`; other handlers must answer the root
    /// (docs/sources.md#capacitor, `CAPInstanceConfiguration`).
    package var opensRoot: Bool { opensRootByName || isCapacitor && launch == "index.html" }
    private var opensRootByName = false
    /// Schemes of native bridges (`weixin`) in addition to the custom one; lower case.
    package var appSchemes: Set<String>

    package init(
        name: String, about: String = "", platform: AppPlatform = .ios,
        scheme: String = "customscheme", hosts: [String] = [],
        pageOrigin: PageOrigin = .custom, minimumIOS: IOSVersion = IOSVersion(13),
        minimumWebView: Int = 80, client: ClientModel, root: String = "/",
        launch: String = "index.html",
        appSchemes: Set<String> = []
    ) {
        self.name = name
        self.about = about
        self.platform = platform
        self.scheme = scheme
        canonicalScheme = Self.canonical(scheme)
        isIntercepted = platform == .android && Self.isWeb(canonicalScheme)
        self.hosts = hosts
        self.pageOrigin = pageOrigin
        self.minimumIOS = minimumIOS
        self.minimumWebView = minimumWebView
        self.client = client
        self.root = root
        self.launch = launch
        self.appSchemes = appSchemes
    }

    private static func canonical(_ scheme: String) -> [UInt8] {
        scheme.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func isWeb(_ scheme: [UInt8]) -> Bool {
        scheme.elementsEqual("https".utf8) || scheme.elementsEqual("http".utf8)
    }

    /// Whether pages can be loaded over the custom scheme.
    package var hasCustomPages: Bool { pageOrigin != .https && !isIntercepted }

    /// Whether pages can be loaded from the network over https, with files of a custom scheme.
    package var hasSecurePages: Bool { pageOrigin != .custom && !isIntercepted }

    /// Whether the handler answers the requests for pages.
    package var hasPackagedPages: Bool { hasCustomPages || isIntercepted }

    /// Whether the pages' own URLs reach nothing but the package: their servers are elsewhere.
    package var isBoundToPackage: Bool {
        hasCustomPages || isIntercepted && client.fallback == .none
    }

    /// Whether the handler is asked for a URL.
    package func handles(_ url: URLRecord) -> Bool {
        url.scheme == canonicalScheme
            && (!isIntercepted || url.port == nil && ownsWebHost(url.host))
    }

    /// The host of the pages' own URLs.
    package var pageHost: String { hosts.first ?? Self.unknownHost }

    /// The host used if none is configured.
    package static let unknownHost = "localhost"

    /// Whether a host is one of the pages' own; true for all if none is configured.
    package func ownsHost(_ host: URLHost?) -> Bool {
        guard let host else { return false }
        if hosts.isEmpty { return true }
        let text = host.inLowerCase
        return hosts.contains { $0.utf8.elementsEqual(text) }
    }

    /// Whether the host of an http or https URL is one of the pages' own; false if none is
    /// configured.
    package func ownsWebHost(_ host: URLHost?) -> Bool { !hosts.isEmpty && ownsHost(host) }

    /// The path of the launch URL, which a router in the page reads.
    package var launchPath: [UInt8] {
        opensRoot
            ? Array(root.utf8)
            : Array(root.utf8) + PercentEncoding.encode(Array(launch.utf8)[...], .path)
    }

    /// Sets the launch page to a file, or to `/`: the file opened by the URL of the root.
    package mutating func setLaunch(_ value: String) {
        opensRootByName = value == "/"
        launch = opensRootByName ? "index.html" : value
    }

    /// The URL of a packaged page, style sheet or script on the device.
    package func url(of path: AssetPath) -> URLRecord? {
        url(of: path, secure: pageOrigin == .https)
    }

    /// The URL of a packaged file over the custom scheme or over https; that of intercepted pages
    /// has their scheme.
    package func url(of path: AssetPath, secure: Bool) -> URLRecord? {
        var text = secure && !isIntercepted ? Array("https".utf8) : canonicalScheme
        text += Array("://\(pageHost)\(root)".utf8)
        text += PercentEncoding.encode(path.bytes[...], .path)
        return URLRecord.parse(text)
    }

    /// The page served for paths without an extension, if the handler has such a page.
    ///
    /// For Capacitor this is always `index.html`, for Cordova the launch page
    /// (docs/sources.md#capacitor, `Router.swift`, `WebViewLocalServer.java`;
    /// docs/sources.md#cordova-ios).
    package var startPage: String { isCapacitor ? "index.html" : launch }

    /// Whether the app's framework answers a path regardless of the package's content.
    ///
    /// On iOS, Capacitor answers every path containing `cordova.js` with an empty script; both
    /// frameworks have prefixes for files on the device, and Capacitor has one for requests it
    /// forwards (docs/sources.md#capacitor, `WebViewAssetHandler.swift`,
    /// `WebViewLocalServer.java`; docs/sources.md#cordova-ios).
    package func frameworkAnswers(_ path: [UInt8]) -> Bool {
        guard client.indexFile == .startPage else { return false }
        if platform == .android {
            return isCapacitor
                && (path.starts(with: "_capacitor_".utf8)
                    || ["cordova.js", "favicon.ico"].contains { path.elementsEqual($0.utf8) })
        }
        guard isCapacitor else { return path.starts(with: "_app_file_".utf8) }
        let word = Array("cordova.js".utf8)
        return path.starts(with: "_capacitor_".utf8)
            || path.indices.contains { path[$0...].starts(with: word) }
    }

    package var isCapacitor: Bool {
        framework == .capacitor && client.indexFile == .startPage
    }

    /// A framework whose sources determine its handler's behavior beyond the keys of a profile.
    package enum Framework: Sendable {
        case capacitor, cordova
    }

    /// The framework of the built-in profile on which this one is based.
    package var framework: Framework? {
        switch name {
        case "capacitor", "capacitor-android": .capacitor
        case "cordova", "cordova-android": .cordova
        default: nil
        }
    }

    /// The part of a URL's path below the package's root, still percent-encoded; `nil` for a URL
    /// outside the root.
    package func packagePath(of url: URLRecord) -> ArraySlice<UInt8>? {
        guard !url.hasOpaquePath else { return nil }
        let prefix = Array(root.utf8)
        if url.path.starts(with: prefix) { return url.path[prefix.count...] }
        // "/app" without its slash is the root itself.
        return url.path.elementsEqual(prefix.dropLast()) ? [] : nil
    }

    /// Whether two URLs have the same web origin on the device (scheme, host and port).
    ///
    /// If no hosts are configured, all hosts of the custom scheme count as the same.
    package func isSameOrigin(_ one: URLRecord, _ other: URLRecord) -> Bool {
        let isCustom = !isIntercepted
        if isCustom, hosts.isEmpty, one.scheme == canonicalScheme, other.scheme == canonicalScheme {
            return true
        }
        if isCustom, one.scheme == canonicalScheme, other.scheme == canonicalScheme {
            // WebKit compares hosts of web origins case-insensitively.
            return one.host?.inLowerCase
                == other.host?.inLowerCase
                && one.port == other.port
        }
        let schemes: Set<[UInt8]> = isCustom ? [canonicalScheme] : []
        return one.origin(inWebViewHandling: schemes)
            .isSameOrigin(as: other.origin(inWebViewHandling: schemes))
    }
}
