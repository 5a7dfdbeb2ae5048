import PackWeb

extension Rule {
    /// A service worker in a page that cannot have one.
    static let jsServiceworker = Rule(
        "js-serviceworker", "a service worker cannot be registered", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds navigator.serviceWorker.register where nothing right before it looks at \
                the protocol.
                """,
            why: """
                Scripts and scopes have to be http or https: the promise is rejected, and \
                without App-Bound Domains the object does not exist at all, so the call throws.
                """,
            source: "Service Workers, register; ionic-team/capacitor 7069, 580",
            instead: """
                Guard it: if (location.protocol === "https:" && navigator.serviceWorker).
                """,
            detection: """
                The call, and whether "protocol" or "isSecureContext" stands within the tokens \
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
                    at: fact.range, "pages of the custom scheme cannot register a service worker")
            }
        })
}
