import PackProfile

extension Rule {
    /// A scheme handled by the web view itself or reserved by the system.
    static let schemeReserved = Rule(
        "scheme-reserved", group: .scheme, level: .customScheme(.error),
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
                    """,
                    notes: ["https", "http"].contains(scheme)
                        ? [
                            "for an Android app, whose pages have https addresses: profile intercept"
                        ]
                        : [])
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
