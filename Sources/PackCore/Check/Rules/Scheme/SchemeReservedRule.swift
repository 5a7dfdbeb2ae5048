extension Rule {
    /// A scheme that the web view handles itself, or that belongs to the system.
    static let schemeReserved = Rule(
        "scheme-reserved", "the scheme belongs to the web view or to the system", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what:
                "Finds a configured scheme that WKWebView handles itself or that the system uses.",
            why: """
                Registering a handler for https, file, about, data, blob, javascript, ws, wss or \
                ftp throws an exception, and the app crashes at launch. A handler for mailto, tel \
                or sms is accepted, but those links stop working.
                """,
            sources: [
                .cite(.webkitSource, "WKWebViewConfiguration.mm, LegacySchemeRegistry.cpp"),
                .cite(.s003, "note 2"), .issue(.capacitor, 4752), .proof("scheme-reserved"),
            ],
            instead: "Choose a scheme that no one else uses, such as `acmepkg`.",
            detection: "The configured scheme is looked up, in lower case, in two lists."),
        examples: [
            .bad(
                "index.html", "<p>x</p>", profile: Example.profile.with { $0.scheme = "wss" },
                silent: []),
            .bad(
                "index.html", "<p>x</p>", "a warning: links of this scheme stop working",
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
                    name: ".",
                    """
                    the web view handles the scheme '\(scheme)' itself; the app would crash
                    """)
            } else if system.contains(scheme) {
                sink.report(
                    name: ".",
                    """
                    the scheme '\(scheme)' belongs to the system; its links would stop working
                    """,
                    severity: .warning)
            }
        })
}
