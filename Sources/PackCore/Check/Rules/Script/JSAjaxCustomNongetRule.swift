import PackWeb

extension Rule {
    /// A request with a body to the handler.
    static let jsAjaxCustomNonget = Rule(
        "js-ajax-custom-nonget", "a request other than GET is sent to the handler", group: .script,
        level: .always(.error),
        explanation: .init(
            what: "Finds POST, PUT, PATCH and DELETE to a custom URL or to a packaged file.",
            why: """
                Bodies do not reach the handler reliably: none on iOS 11.0 to 11.2, no Blob later, \
                and none from XMLHttpRequest in other measurements. The seed003 handler also sends \
                a GET to the network whatever the method was.
                """,
            sources: [
                .cite(.s001), .cite(.hite, "table"), .issue(.cordovaIOS, 1074),
                .issue(.openRadar, 33814386), .proof("js-ajax-custom-nonget"),
            ],
            instead: "Send the request to the server's https URL.",
            detection: """
                The method is a literal in the call. Only string literals are checked; values in \
                variables are not known.
                """),
        examples: [
            .bad("app.js", "x.open(\"POST\", \"↓customscheme://www.example.com/a\")"),
            .bad("app.js", "fetch(\"↓/a.json\", {method: \"PUT\"})", others: ["a.json": ""]),
            .good(
                "app.js", "x.open(\"POST\", \"https://api.example.com/a\"); fetch(\"/a.json\")",
                others: ["a.json": ""]),
        ],
        document: { document, sink in
            for fact in document.facts(.fetch, .request, .ajax) {
                guard !["GET", "HEAD", "?", ""].contains(fact.fact.detail),
                    fact.fact.extent != .none,
                    fact.fact.extent != .part
                else { continue }
                let isCustom = fact.spells(document.profile.canonicalScheme)
                let isPackaged =
                    fact.fact.extent == .whole && document.resolveFromPage(fact).file != nil
                guard isCustom || isPackaged else { continue }
                sink.report(
                    at: fact.range, "\(fact.fact.detail) '\(fact.text)' is sent to the handler",
                    // The file is the answer, whatever the method.
                    severity: fact.isHarmless ? .hint : isPackaged ? .warning : nil)
            }
        })
}
