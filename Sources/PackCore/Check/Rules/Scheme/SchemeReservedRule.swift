extension Rule {
    /// A scheme that the web view handles itself, or that the system gives to other apps.
    static let schemeReserved = Rule(
        "scheme-reserved", "the scheme belongs to the web view or the system", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what:
                "Finds a configured scheme that WKWebView handles itself, or that the system uses.",
            why: """
                Registering a handler for https, file, about, data, blob, javascript, ws, wss or ftp \
                throws, and the app crashes at start. A handler for mailto, tel or sms is accepted and \
                takes those links away from the system.
                """,
            source:
                "WKWebViewConfiguration.mm, LegacySchemeRegistry.cpp isBuiltinScheme; S003 note 2; Capacitor 4752",
            instead: "Invent a scheme of your own: 'acmepkg'.",
            detection: "The configured scheme in lower case is looked up in two lists."),
        examples: [
            .bad(
                "index.html", "<p>x</p>", profile: Example.profile.with { $0.scheme = "wss" },
                silent: []),
            .bad(
                "index.html", "<p>x</p>", "a warning: it takes links away from the system",
                profile: Example.profile.with { $0.scheme = "mailto" }, silent: []),
            .good("index.html", "<p>x</p>"),
        ],
        site: { context, sink in
            let scheme = context.profile.scheme.lowercased()
            let builtIn: Set = [
                "http", "https", "file", "about", "data", "blob", "javascript", "ws", "wss", "ftp",
                "gopher", "applewebdata", "webkit-fake-url", "x-apple-content-filter",
                "x-apple-ql-id", "x-apple-ql-id2", "safari-extension", "webkit-extension",
            ]
            let system: Set = [
                "mailto", "tel", "sms", "facetime", "itms", "itms-apps", "maps", "intent",
            ]
            if builtIn.contains(scheme) {
                sink.report(
                    name: ".", "the scheme '\(scheme)' is the web view's own: the app crashes")
            } else if system.contains(scheme) {
                sink.report(
                    name: ".", "the scheme '\(scheme)' is the system's: its links stop working",
                    severity: .warning)
            }
        })
}
