import PackWeb

extension Rule {
    /// A synchronous request.
    static let jsSyncXhr = Rule(
        "js-sync-xhr", "a synchronous request crashes the page on old systems", group: .script,
        level: .init("error where the minimum iOS is 12 or older, else warning") {
            $0.minimumIOS < .init(13) ? .error : .warning
        },
        explanation: .init(
            what: "Finds `open(method, url, false)` and `async: false`.",
            why: """
                On iOS 12 and older a synchronous request to a scheme handler crashes the page's \
                process; later systems freeze the page until the handler answers.
                """,
            sources: [
                .cite(.s001), .issue(.webkitBugs, 188358, 199063), .issue(.cordovaIOS, 1024),
                .proof("js-sync-xhr"),
            ],
            instead: "Use fetch, or omit the third argument.",
            detection: """
                The first argument of `open` must be an HTTP method, so other functions named open \
                are not reported. Requests that only a worker can make (`arraybuffer`), and those \
                for the head of a variable URL, are hints. Only string literals are checked; values in variables are not \
                known.
                """),
        examples: [
            .bad("app.js", "x.open(\"GET\", \"↓/a.json\", !1)", others: ["a.json": ""]),
            .bad("app.js", "$.ajax({url: \"↓/a.json\", async: false})", others: ["a.json": ""]),
            .bad(
                "app.js", "x.↓open(\"GET\", u, !1);x.responseType=\"arraybuffer\";x.send()",
                "only a hint: a worker's"),
            .good(
                "app.js",
                "x.open(\"GET\", u, !0); indexedDB.open(\"a\", 1); window.open(u, \"x\", !1)"),
        ],
        document: { document, sink in
            // By its name: what the page runs is not known here.
            let isWorker = printable(document.path.fileName).lowercased().contains("worker")
            for fact in document.facts(.request, .ajax) where fact.fact.isSynchronous {
                sink.report(
                    at: fact.range, "this request is synchronous",
                    severity: fact.isHarmless || isWorker ? .hint : fact.isWeb ? .warning : nil,
                    cause: fact.fact.extent == .none ? "unknown address" : nil)
            }
        })
}
