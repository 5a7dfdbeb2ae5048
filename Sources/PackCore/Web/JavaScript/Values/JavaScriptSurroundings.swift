/// The known environment of a script's page: its address, and the APIs of the web view.
package struct JavaScriptSurroundings: Sendable {
    /// The scheme of the page; `nil` if it varies.
    package var scheme: [UInt8]?
    /// The host of the page; `nil` if unknown.
    package var host: [UInt8]?
    /// `isSecureContext`; `nil` if it depends on the version of the system.
    package var isSecure: Bool?
    /// The framework that adds its objects to the page.
    package var framework: Framework?

    /// The engine of the web view.
    package var engine: Engine

    /// A web engine, by which scripts find other names and user agents.
    package enum Engine: Sendable { case webKit, chromium }

    /// The framework of an app's web view.
    package enum Framework: Sendable { case capacitor, cordova }

    package init(
        scheme: [UInt8]? = nil, host: [UInt8]? = nil, isSecure: Bool? = nil,
        framework: Framework? = nil, engine: Engine = .webKit
    ) {
        self.scheme = scheme
        self.host = host
        self.isSecure = isSecure
        self.framework = framework
        self.engine = engine
    }

    /// Whether a name of the window or the navigator exists.
    enum Presence {
        case present
        case absent
        /// Absent in the web views of apps, although the engine has it elsewhere.
        case withheld
        /// An app, a library or the page itself may define it.
        case unknown
        /// No known source defines it.
        case unlikely
    }

    func presence(of name: Span<UInt8>) -> Presence {
        guard name.count <= 40 else { return .unlikely }
        let text = String(decoding: (0..<name.count).map { name[$0] }, as: UTF8.self)
        if engine == .chromium, let presence = Self.inChromium(text) { return presence }
        return Self.presence(of: text)
    }

    private static func presence(of text: String) -> Presence {
        if present.contains(text) { return .present }
        if absent.contains(text) { return .absent }
        if withheld.contains(text) { return .withheld }
        return defined.contains(text) ? .unknown : .unlikely
    }

    /// In WebKit since iOS 13 at the latest.
    private static let present: Set<String> = [
        "window", "self", "globalThis", "document", "navigator", "location", "history", "console",
        "performance", "fetch", "Promise", "Map", "Set", "WeakMap", "WeakSet", "Symbol", "URL",
        "URLSearchParams", "customElements", "IntersectionObserver", "IntersectionObserverEntry",
        "ResizeObserver", "MutationObserver", "AbortController", "WebAssembly", "Proxy", "Reflect",
        "Worker", "Blob", "File", "FileReader", "FormData", "Headers", "Request", "Response", "CSS",
        "localStorage", "sessionStorage", "matchMedia", "requestAnimationFrame", "XMLHttpRequest",
        "queueMicrotask", "TextEncoder", "TextDecoder", "Audio", "Image", "FontFace", "Object",
        "Array", "String", "Number", "Boolean", "Date", "JSON", "Math", "RegExp", "Error",
        "ArrayBuffer", "Uint8Array", "DataView", "Intl", "addEventListener", "setTimeout",
        "HTMLElement", "HTMLTemplateElement", "HTMLScriptElement", "HTMLImageElement", "Element",
        "Node", "NodeList", "Event", "CustomEvent", "getComputedStyle", "crypto", "indexedDB",
        "ShadowRoot", "attachShadow", "noModule", "fonts", "querySelector", "classList",
        "DOMParser",
        "WebSocket", "EventSource", "MessageChannel", "BroadcastChannel", "sendBeacon", "onLine",
        "getContext", "canPlayType", "relList", "userAgent", "language", "content", "srcset",
        "sizes", "closest", "matches", "padStart",
        // Set by Vite's pages before the scripts for older browsers check it.
        "__vite_is_modern_browser",
    ]

    /// Names of other engines, older browsers, servers and development.
    private static let absent: Set<String> = [
        "ActiveXObject", "attachEvent", "documentMode", "MSStream", "msCrypto", "msSaveBlob",
        "msSaveOrOpenBlob", "opera", "opr", "InstallTrigger", "chrome", "StyleMedia", "Deno", "Bun",
        "bluetooth", "usb", "hid", "serial", "connection", "getBattery", "deviceMemory",
        "webkitRequestFileSystem", "showOpenFilePicker", "showSaveFilePicker", "EyeDropper",
        "BackgroundFetchManager", "launchQueue", "onbeforeinstallprompt",
        "BeforeInstallPromptEvent",
        "AndroidInterface", "Android", "msMatchesSelector", "clipboardData", "XDomainRequest",
        "BarcodeDetector", "NDEFReader", "IdleDetector", "HTMLPortalElement", "hot",
        "createPopup", "mozRequestAnimationFrame", "InputDeviceInfo", "documentPictureInPicture",
    ]

    private static let withheld: Set<String> = [
        "serviceWorker", "ServiceWorkerRegistration", "ServiceWorker", "PushManager",
        "Notification", "requestIdleCallback", "SharedArrayBuffer", "crossOriginIsolated",
        "importScripts", "WorkerGlobalScope", "ServiceWorkerGlobalScope", "SyncManager",
        "DedicatedWorkerGlobalScope", "caches", "__REACT_DEVTOOLS_GLOBAL_HOOK__",
        "__VUE_DEVTOOLS_GLOBAL_HOOK__", "__REDUX_DEVTOOLS_EXTENSION__", "navigation", "scheduler",
    ]

    /// The presence in an Android WebView, if it differs from that in WebKit.
    private static func inChromium(_ name: String) -> Presence? {
        if presentInChromium.contains(name) { return .present }
        if absentInWebView.contains(name) { return .absent }
        return unknownInChromium.contains(name) ? .unknown : nil
    }

    /// In Android WebView since version 80 at the latest, in pages of https.
    private static let presentInChromium: Set<String> = [
        "requestIdleCallback", "caches", "connection", "deviceMemory", "getBattery",
        "webkitRequestFileSystem",
        "OffscreenCanvas", "mediaDevices", "AudioContext", "RTCPeerConnection",
    ]

    /// In some releases, or defined by some apps.
    private static let unknownInChromium: Set<String> = [
        "serviceWorker", "ServiceWorkerRegistration", "ServiceWorker", "chrome", "Android",
        "AndroidInterface", "bluetooth", "usb", "hid", "serial", "hot",
        "SyncManager", "navigation", "scheduler", "onbeforeinstallprompt", "NDEFReader",
        "BarcodeDetector", "BackgroundFetchManager",
    ]

    /// In Chrome, but not in its web view.
    private static let absentInWebView: Set<String> = [
        "SharedArrayBuffer", "crossOriginIsolated", "Notification", "PushManager",
    ]

    /// Apps, bundlers and libraries define them.
    private static let defined: Set<String> = [
        "Capacitor", "cordova", "webkit", "device", "plugins", "ReactNativeWebView", "jQuery", "$",
        "Zepto", "Vue", "React", "ReactDOM", "angular", "Ember", "Backbone", "_", "process",
        "require", "module", "exports", "define", "global", "Buffer", "__webpack_require__",
        "ontouchstart", "DocumentTouch", "orientation", "safari", "ApplePaySession", "share",
        "mediaDevices", "clipboard", "geolocation", "vibrate", "wakeLock", "storage", "permissions",
        "structuredClone", "visualViewport", "trustedTypes", "OffscreenCanvas", "gpu", "xr",
        "SharedWorker", "PaymentRequest", "RTCPeerConnection", "MediaRecorder", "AudioContext",
        "webkitAudioContext", "speechSynthesis", "DeviceMotionEvent", "DeviceOrientationEvent",
        "requestPermission", "credentials", "PublicKeyCredential", "locks", "loading", "decode",
        "fetchPriority", "popover", "ontouchend", "maxTouchPoints", "standalone",
    ]

    /// Texts, in lower case, that the user agent of a web view in an app never contains.
    static func foreignAgents(in engine: Engine) -> [[UInt8]] {
        engine == .webKit ? foreignToWebKit : foreignToChromium
    }

    private static let foreignToChromium: [[UInt8]] = [
        "msie", "trident", "edge", "edg/", "edga", "firefox", "fxios", "crios", "opr/", "opera",
        "opios", "iphone", "ipad", "ipod", "macintosh", "windows", "win32", "win64", "electron",
        "jsdom", "bot", "crawl", "spider", "lighthouse", "iemobile", "blackberry", "webos",
        "micromessenger", "symbian", "tizen",
    ].map { Array($0.utf8) }

    private static let foreignToWebKit: [[UInt8]] = [
        "msie", "trident", "edge", "edg/", "edga", "firefox", "fxios", "chrome", "chromium",
        "crios",
        "opr/", "opera", "opios", "android", "windows", "win32", "win64", "electron", "jsdom",
        "samsungbrowser", "ucbrowser", "bot", "crawl", "spider", "lighthouse", "iemobile",
        "blackberry", "webos", "micromessenger", "symbian", "tizen",
    ].map { Array($0.utf8) }
}
