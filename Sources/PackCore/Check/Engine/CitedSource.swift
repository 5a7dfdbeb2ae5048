/// The articles, studies, standards and trackers cited by rules.
///
/// The raw value is the anchor in `docs/sources.md`, which describes each source.
package enum CitedSource: String, CaseIterable, Sendable {
    case s001, s002, s003, s004
    case ruleStudy = "rule-study"
    case nodeURL = "node-url-experiments"
    case webkitProof = "webkit-proof"
    case ownLimits = "limits"
    case formats = "formats"
    case hite
    case mjtsai = "apfs-names"

    case webkitSource = "webkit-source"
    case webkitBugs = "webkit-bugs"
    case openRadar = "open-radar"
    case appleDocs = "apple-docs"
    case capacitor
    case capacitorDocs = "capacitor-docs"
    case androidWebView = "android-webview"
    case cordovaAndroid = "cordova-android"
    case assetLoader = "webview-asset-loader"
    case cordovaIOS = "cordova-ios"
    case cordovaDocs = "cordova-news"
    case ionicFramework = "ionic-framework"
    case ionicWebView = "ionic-webview"
    case kiwix = "kiwix-apple"
    case readium
    case wry
    case codePush = "code-push"
    case jwplayer
    case vite
    case webpack
    case requireJS = "requirejs"
    case browserCompatData = "browser-compat-data"
    case workbox
    case htmlProofer = "html-proofer"
    case htmlValidate = "html-validate"
    case eslintComments = "eslint-comments"
    case lychee
    case microsoftNames = "microsoft-names"
    case openGraph = "open-graph"

    case rfc3986
    case urlStandard = "url-standard"
    case htmlStandard = "html-standard"
    case fetchStandard = "fetch-standard"
    case encodingStandard = "encoding-standard"
    case mimeSniffing = "mime-sniffing"
    case webSockets = "websockets"
    case beacon
    case serviceWorkers = "service-workers"
    case appManifest = "app-manifest"
    case csp
    case sri
    case sriTracker = "sri-tracker"
    case upgradeInsecure = "upgrade-insecure-requests"
    case cssSyntax = "css-syntax"
    case cssValues = "css-values"
    case cssFonts = "css-fonts"
    case cssMasking = "css-masking"
    case cssShapes = "css-shapes"
    case svg2
    case svgIntegration = "svg-integration"
    case xmlNames = "xml-names"
    case ecma426 = "ecma-426"

    /// The test cases of ``webkitProof``, relative to the repository root.
    package static let cases = "Tests/Rigs/WebKit/cases"

    /// The display name.
    package var name: String { entry.name }

    /// The URL, or its prefix before an issue number; `nil` if the source has none.
    package var address: String? { entry.address }

    /// The start page of a tracker; `nil` if ``address`` can be opened directly.
    package var home: String? { entry.home }

    private var entry: (name: String, address: String?, home: String?) {
        switch self {
        case .s001: ("Article S001", nil, nil)
        case .s002: ("Article S002", nil, nil)
        case .s003: ("Article S003", nil, nil)
        case .s004: ("Article S004", nil, nil)
        case .ruleStudy: ("rule study", nil, nil)
        case .nodeURL: ("experiments in Node 20", nil, nil)
        case .webkitProof: ("WebKitGTK test", nil, nil)
        case .ownLimits: ("packtool's limits", nil, nil)
        case .formats: ("docs/formats.md", nil, nil)
        case .hite: ("HITE", "https://github.com/hite/URLSchemeHandlerTest", nil)
        case .mjtsai:
            (
                "Michael Tsai, 2017",
                "https://mjtsai.com/blog/2017/03/24/apfss-bag-of-bytes-filenames/", nil
            )
        case .webkitSource: ("WebKit", "https://github.com/WebKit/WebKit", nil)
        case .webkitBugs:
            (
                "WebKit bug", "https://bugs.webkit.org/show_bug.cgi?id=",
                "https://bugs.webkit.org/"
            )
        case .openRadar:
            ("Open Radar", "https://openradar.appspot.com/", "https://openradar.appspot.com/")
        case .appleDocs:
            ("Apple documentation", "https://developer.apple.com/documentation/", nil)
        case .capacitorDocs: ("Capacitor documentation", "https://capacitorjs.com/docs/", nil)
        case .cordovaDocs: ("Cordova news", "https://cordova.apache.org/blog/", nil)
        case .capacitor: Self.tracker("Capacitor", "ionic-team/capacitor")
        case .androidWebView:
            (
                "Android's WebView",
                "https://developer.android.com/reference/android/webkit/WebViewClient", nil
            )
        case .cordovaAndroid: Self.tracker("cordova-android", "apache/cordova-android")
        case .assetLoader:
            (
                "WebViewAssetLoader",
                "https://developer.android.com/reference/androidx/webkit/WebViewAssetLoader", nil
            )
        case .cordovaIOS: Self.tracker("cordova-ios", "apache/cordova-ios")
        case .ionicFramework: Self.tracker("Ionic Framework", "ionic-team/ionic-framework")
        case .ionicWebView:
            Self.tracker("cordova-plugin-ionic-webview", "ionic-team/cordova-plugin-ionic-webview")
        case .kiwix: Self.tracker("kiwix-apple", "kiwix/kiwix-apple")
        case .readium: Self.tracker("Readium", "readium/swift-toolkit")
        case .wry: Self.tracker("wry", "tauri-apps/wry")
        case .codePush: ("CodePush", "https://github.com/microsoft/code-push-server", nil)
        case .jwplayer: Self.tracker("JW Player", "jwplayer/jwplayer")
        case .vite: Self.tracker("Vite", "vitejs/vite")
        case .webpack: ("webpack", "https://webpack.js.org/configuration/output/", nil)
        case .requireJS: ("RequireJS", "https://requirejs.org/docs/api.html", nil)
        case .browserCompatData:
            Self.tracker("MDN's browser-compat-data", "mdn/browser-compat-data")
        case .workbox:
            ("Workbox", "https://developer.chrome.com/docs/workbox/modules/workbox-build", nil)
        case .htmlProofer: ("html-proofer", "https://github.com/gjtorikian/html-proofer", nil)
        case .htmlValidate: ("html-validate", "https://html-validate.org/rules/", nil)
        case .eslintComments:
            (
                "eslint-plugin-eslint-comments",
                "https://eslint-community.github.io/eslint-plugin-eslint-comments/", nil
            )
        case .lychee: Self.tracker("lychee", "lycheeverse/lychee")
        case .microsoftNames:
            (
                "Naming Files, Paths, and Namespaces",
                "https://learn.microsoft.com/windows/win32/fileio/naming-a-file", nil
            )
        case .openGraph: ("Open Graph protocol", "https://ogp.me/", nil)
        case .rfc3986: ("RFC 3986", "https://www.rfc-editor.org/rfc/rfc3986", nil)
        case .urlStandard: ("URL Standard", "https://url.spec.whatwg.org/", nil)
        case .htmlStandard: ("HTML Standard", "https://html.spec.whatwg.org/", nil)
        case .fetchStandard: ("Fetch Standard", "https://fetch.spec.whatwg.org/", nil)
        case .encodingStandard: ("Encoding Standard", "https://encoding.spec.whatwg.org/", nil)
        case .mimeSniffing: ("MIME Sniffing Standard", "https://mimesniff.spec.whatwg.org/", nil)
        case .webSockets: ("WebSockets Standard", "https://websockets.spec.whatwg.org/", nil)
        case .beacon: ("Beacon", "https://www.w3.org/TR/beacon/", nil)
        case .serviceWorkers: ("Service Workers", "https://www.w3.org/TR/service-workers/", nil)
        case .appManifest:
            ("Web Application Manifest", "https://www.w3.org/TR/appmanifest/", nil)
        case .csp: ("Content Security Policy Level 3", "https://www.w3.org/TR/CSP3/", nil)
        case .sri: ("Subresource Integrity", "https://www.w3.org/TR/SRI/", nil)
        case .sriTracker:
            Self.tracker("Subresource Integrity issue", "w3c/webappsec-subresource-integrity")
        case .upgradeInsecure:
            (
                "Upgrade Insecure Requests", "https://www.w3.org/TR/upgrade-insecure-requests/",
                nil
            )
        case .cssSyntax: ("CSS Syntax Level 3", "https://www.w3.org/TR/css-syntax-3/", nil)
        case .cssValues: ("CSS Values Level 4", "https://www.w3.org/TR/css-values-4/", nil)
        case .cssFonts: ("CSS Fonts Level 4", "https://www.w3.org/TR/css-fonts-4/", nil)
        case .cssMasking: ("CSS Masking Level 1", "https://www.w3.org/TR/css-masking-1/", nil)
        case .cssShapes: ("CSS Shapes Level 1", "https://www.w3.org/TR/css-shapes-1/", nil)
        case .svg2: ("SVG 2", "https://www.w3.org/TR/SVG2/", nil)
        case .svgIntegration: ("SVG Integration", "https://www.w3.org/TR/svg-integration/", nil)
        case .xmlNames: ("Namespaces in XML", "https://www.w3.org/TR/xml-names/", nil)
        case .ecma426: ("ECMA-426, source maps", "https://tc39.es/ecma426/", nil)
        }
    }

    private static func tracker(
        _ name: String, _ repository: String
    ) -> (name: String, address: String?, home: String?) {
        let home = "https://github.com/\(repository)"
        return (name, home + "/issues/", home)
    }
}
