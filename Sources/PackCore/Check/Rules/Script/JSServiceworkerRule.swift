extension Rule {
    /// A service worker in a page that cannot have one.
    static let jsServiceworker = Rule(
        "js-serviceworker", "a service worker cannot be registered", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds `navigator.serviceWorker.register` without a check of the protocol right \
                before it.
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
                The call is reported unless `protocol` or `isSecureContext` appears in the tokens \
                before it.
                """),
        examples: [
            .bad("app.js", "navigator.serviceWorker.register(\"↓/sw.js\")"),
            .good(
                "app.js",
                "if (location.protocol === \"https:\") navigator.serviceWorker.register(\"/sw.js\")"
            ),
        ],
        document: { document, sink in
            for fact in document.facts(.serviceWorker) where !fact.fact.isGuarded {
                sink.report(
                    at: fact.range, "custom-scheme pages cannot register a service worker")
            }
        })
}
