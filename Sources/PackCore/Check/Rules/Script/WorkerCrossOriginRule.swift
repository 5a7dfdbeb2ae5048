import PackWeb

extension Rule {
    /// A worker from the custom scheme in a page that came over https.
    static let workerCrossOrigin = Rule(
        "worker-cross-origin", "an https page starts a worker from the package", group: .script,
        level: .securePages(.error),
        explanation: .init(
            what: """
                Finds new Worker("…") with a URL of the custom scheme, where pages come over \
                https.
                """,
            why: """
                A worker's script has to have the origin of the page: the constructor throws \
                SecurityError.
                """,
            source: "HTML 10.2.6.3 (Worker constructor: same origin); rules section 7",
            instead: "Load the worker over https, or from a blob: URL.",
            detection: """
                The scheme that the string itself spells. Literals of scripts are read; what \
                variables hold is not known.
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
                sink.report(at: fact.range, "'\(fact.text)' is of another origin than the page")
            }
        })
}
