import PackWeb

extension Rule {
    /// A service worker in a page that cannot have one.
    static let jsServiceworker = Rule(
        "js-serviceworker", group: .script, level: .customPages(.warning),
        document: { document, sink in
            for fact in document.facts(.serviceWorker) where !fact.isHarmless {
                sink.report(
                    at: fact.range, "custom-scheme pages cannot register a service worker",
                    cause: "service worker")
            }
        })
}
