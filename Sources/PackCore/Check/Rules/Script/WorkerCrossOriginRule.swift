extension Rule {
    /// A worker with a custom URL in an https page.
    static let workerCrossOrigin = Rule(
        "worker-cross-origin", "an https page starts a worker from the package", group: .script,
        level: .securePages(.error),
        explanation: .init(
            what: "Finds `new Worker(\"…\")` with a custom URL where pages are loaded over https.",
            why: """
                A worker's script must be same-origin with the page: the constructor throws a \
                SecurityError.
                """,
            sources: [
                .cite(.htmlStandard, "the Worker constructor"), .proof("worker-cross-origin"),
            ],
            instead: "Load the worker over https, or from a `blob:` URL.",
            detection: """
                The scheme of the string itself is checked. Only string literals are checked; \
                values in variables are not known.
                """),
        examples: [
            .bad(
                "app.js", "new Worker(\"↓customscheme://www.example.com/w.js\")",
                others: ["w.js": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "app.js", "new Worker(\"/w.js\")", others: ["w.js": ""],
                profile: Example.profile.with(pageOrigin: .https)),
        ],
        document: { document, sink in
            for fact in document.facts(.worker, .importScripts)
            where fact.spells(document.profile.canonicalScheme) {
                sink.report(at: fact.range, "'\(fact.text)' has another web origin than the page")
            }
        })
}
