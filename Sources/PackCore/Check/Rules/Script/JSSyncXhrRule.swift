import PackWeb

extension Rule {
    /// A synchronous request.
    static let jsSyncXhr = Rule(
        "js-sync-xhr", "a synchronous request ends the web process of old systems", group: .script,
        level: .init("error where the minimum iOS is 12 or older, else warning") {
            $0.minimumIOS < .init(13) ? .error : .warning
        },
        explanation: .init(
            what: "Finds open(method, url, false) and async: false.",
            why: """
                On iOS 12 and older a synchronous request to a scheme handler crashes the page's \
                process; later it freezes the page while the handler works.
                """,
            source: "S001 (WebKit 188358, 199063); apache/cordova-ios 1024",
            instead: "Use fetch, or leave the third argument away.",
            detection: """
                The first argument of open has to be an HTTP method, so other functions named \
                open are not meant. Literals of scripts are read; what variables hold is not \
                known.
                """),
        examples: [
            .bad("app.js", "x.open(\"GET\", \"↓/a.json\", !1)", others: ["a.json": ""]),
            .bad("app.js", "$.ajax({url: \"↓/a.json\", async: false})", others: ["a.json": ""]),
            .good(
                "app.js",
                "x.open(\"GET\", u, !0); indexedDB.open(\"a\", 1); window.open(u, \"x\", !1)"),
        ],
        document: { document, sink in
            for fact in document.facts(.request, .ajax) where fact.fact.isSynchronous {
                sink.report(
                    at: fact.range, "this request is synchronous",
                    severity: fact.isWeb ? .warning : nil)
            }
        })
}
