extension Rule {
    /// A worker whose script is not packaged.
    static let jsWorker = Rule(
        "js-worker", "a worker's script is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up the script of `new Worker("…")` and `new SharedWorker("…")`, with or \
                without `new URL(…, import.meta.url)`.
                """,
            why: "The worker never starts, so the feature that uses it fails.",
            sources: [.cite(.htmlStandard, "dedicated workers"), .proof("js-worker")],
            instead: "Package the worker's script.",
            detection: """
                The address is resolved against the page, with import.meta.url against the script. \
                Only string literals are checked; values in variables are not known.
                """),
        examples: [
            .bad(
                "js/app.js", "new Worker(new URL(\"↓w.js\", import.meta.url))",
                others: ["w.js": ""], profile: .pathStrict),
            .bad("app.js", "new Worker(\"↓/gone.js\")"),
            .good("app.js", "new Worker(\"/w.js\"); new Worker(u)", others: ["w.js": ""]),
        ],
        document: { document, sink in
            sink.reportMisses(document.scriptReferences(.worker, .workerModuleURL), in: document)
        })
}
