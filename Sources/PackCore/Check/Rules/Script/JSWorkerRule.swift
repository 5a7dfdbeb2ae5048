import PackWeb

extension Rule {
    /// A worker whose script is not packaged.
    static let jsWorker = Rule(
        "js-worker", "a worker's script is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up the script of `new Worker("…")` and `new SharedWorker("…")`, with or \
                without `new URL(…, import.meta.url)`, and finds relative addresses in the code of \
                a worker that is a Blob.
                """,
            why: """
                The worker never starts, so the feature that uses it fails. A Blob's address is no \
                base for others: `importScripts("a.js")` and `fetch("/b")` throw in it.
                """,
            sources: [.cite(.htmlStandard, "dedicated workers"), .proof("js-worker")],
            instead: "Package the worker's script.",
            detection: """
                The address is resolved against the page, with import.meta.url against the script. \
                Only string literals are checked; values in variables are not known. The `Worker` \
                of something else than `window`, `self` or `globalThis` may be that of another \
                program, so it is a hint.
                """),
        examples: [
            .bad(
                "js/app.js", "new Worker(new URL(\"↓w.js\", import.meta.url))",
                others: ["w.js": ""], profile: .pathStrict),
            .bad(
                "js/app.js",
                "new Worker(new URL(\"\"+new URL(\"↓w-1a.js\",import.meta.url).href,import.meta.url));new Worker(\"\"+new URL(\"↓v-1a.js\",import.meta.url).href)",
                "as Vite writes it with a relative base", profile: .pathStrict),
            .bad("app.js", "new Worker(\"↓/gone.js\")"),
            .bad("app.js", "new window.Worker(\"↓/gone.js\")"),
            .bad(
                "app.js", "import(\"a\").then(r => new r.Worker(\"↓gone/node.mjs\"))",
                "a hint: perhaps that of Node.js"),
            .bad(
                "app.js",
                "new Worker(URL.createObjectURL(new Blob([`importScripts(\"↓/w.js\")`])))",
                "a Blob has no base", others: ["w.js": ""], silent: [.comment], except: [.string]),
            .good("app.js", "new Worker(\"{{ root }}/w.js\")", "a placeholder"),
            .good(
                "app.js",
                "new Blob(['importScripts(\"https://h/w.js\");fetch(u)']);x='fetch(\"/a\")'"),
            .good("app.js", "new Worker(\"/w.js\"); new Worker(u)", others: ["w.js": ""]),
        ],
        document: { document, sink in
            sink.reportMisses(document.scriptReferences(.worker, .workerModuleURL), in: document)
            for reference in document.scriptReferences(.blobAddress) {
                sink.report(
                    reference, "'\(reference.text)' is relative, and a Blob's address is no base")
            }
        })
}
