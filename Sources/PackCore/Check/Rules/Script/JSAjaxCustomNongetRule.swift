import PackWeb

extension Rule {
    /// A request with a body to the handler.
    static let jsAjaxCustomNonget = Rule(
        "js-ajax-custom-nonget", "a request that is no GET goes to the handler", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds POST, PUT, PATCH and DELETE to a URL of the custom scheme, or to a \
                packaged file.
                """,
            why: """
                Bodies do not arrive at the handler: none on iOS 11.0 to 11.2, no Blob later, \
                none of an XMLHttpRequest in other measurements; and the handler of the seed \
                sends a GET to the network whatever the method was.
                """,
            source: """
                S001; HITE (README, table); apache/cordova-ios 1074; openradar 33814386
                """,
            instead: "Send it to the server's https URL.",
            detection: """
                The method is a literal of the call. Literals of scripts are read; what \
                variables hold is not known.
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
                    at: fact.range, "\(fact.fact.detail) '\(fact.text)' goes to the handler")
            }
        })
}
