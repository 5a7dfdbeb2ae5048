extension Rule {
    /// Storage that two web origins do not share.
    static let jsStorageOrigin = Rule(
        "js-storage-origin", "stored data is not shared between https and custom-scheme pages",
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
                The https page and the packaged page have different web origins: neither sees what \
                the other stores, and users seem logged out.
                """,
            sources: [
                .cite(.cordovaDocs, "news of 2020-07-18"), .cite(.capacitorDocs, "migration guide"),
                .issue(.ionicWebView, 485), .proof("js-storage-origin"),
            ],
            instead: "Keep shared data on the server or in the app.",
            detection: "The name of the global object is reported."),
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
                    "the https page does not see what \(fact.fact.detail) stores here")
            }
        })
}
