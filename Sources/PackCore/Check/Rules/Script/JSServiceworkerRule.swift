import PackWeb

extension Rule {
    /// A service worker in a page that cannot have one.
    static let jsServiceworker = Rule(
        "js-serviceworker", "a service worker cannot be registered", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds `navigator.serviceWorker.register` without a condition on the page's \
                protocol or on the object around it.
                """,
            why: """
                Script and scope must be http or https: the promise is rejected. Without App-Bound \
                Domains the object does not exist at all, and the call throws.
                """,
            sources: [
                .cite(.serviceWorkers, "register"), .issue(.capacitor, 7069, 580),
                .proof("js-serviceworker"),
            ],
            instead: """
                Guard it: `if (location.protocol === "https:" && navigator.serviceWorker)`.
                """,
            detection: """
                The call is reported unless a condition with `protocol`, `isSecureContext` or \
                `serviceWorker`, or `try`, is around it.
                """),
        examples: [
            .bad("app.js", "navigator.serviceWorker.register(\"↓/sw.js\")"),
            .good(
                "app.js",
                "if (location.protocol === \"https:\") navigator.serviceWorker.register(\"/sw.js\")"
            ),
            .good(
                "app.js",
                "if (\"serviceWorker\" in navigator) addEventListener(\"load\", () => { navigator.serviceWorker.register(\"/sw.js\") })"
            ),
        ],
        document: { document, sink in
            for fact in document.facts(.serviceWorker) where !fact.isHarmless {
                sink.report(
                    at: fact.range, "custom-scheme pages cannot register a service worker",
                    cause: "service worker")
            }
        })
}
