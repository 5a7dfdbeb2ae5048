import PackWeb

extension Rule {
    /// Storage that two origins do not share.
    static let jsStorageOrigin = Rule(
        "js-storage-origin", "stored data is not shared between the two kinds of page",
        group: .script,
        level: .init("warning where pages are switched by user agent") {
            $0.pageOrigin == .dual ? .warning : nil
        },
        explanation: .init(
            what: """
                Finds localStorage, sessionStorage, indexedDB and caches, once for each API and \
                file.
                """,
            why: """
                The page over https and the page from the package are two origins: what one \
                stores the other does not see, and users seem logged out.
                """,
            source: """
                Cordova blog 2020-07-18; Capacitor migration guide; cordova-plugin-ionic-webview \
                485
                """,
            instead: "Keep what both need at the server or in the app.",
            detection: "The name of the global object."),
        examples: [
            .bad(
                "app.js", "↓localStorage.setItem(a, b)",
                profile: Example.profile.with(pageOrigin: .dual)),
            .good("app.js", "localStorage.setItem(a, b)"),
        ],
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.storage) where seen.insert(fact.fact.detail).inserted {
                sink.report(
                    at: fact.range,
                    "the https page does not see what is in \(fact.fact.detail) here")
            }
        })
}
