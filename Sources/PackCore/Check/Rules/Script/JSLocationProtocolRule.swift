import PackWeb

extension Rule {
    /// A URL glued to the page's scheme.
    static let jsLocationProtocol = Rule(
        "js-location-protocol", "a URL is made from the page's scheme", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds location.protocol + "//host…", and location.protocol compared with \
                "https:".
                """,
            why: """
                In a page of the custom scheme location.protocol is "customscheme:": the URL \
                becomes customscheme://api.example.org, which the handler gets, and comparisons \
                with "https:" are false.
                """,
            source: "rules section 7; JW Player 3561; Google Analytics' old snippet",
            instead: """
                Write "https:".
                """,
            detection: """
                Joined with a literal that names a host it is an error; compared, or joined with \
                "//" alone, it warns, once for each file. Literals of scripts are read; what \
                variables hold is not known.
                """),
        examples: [
            .bad("app.js", "x = location.protocol + \"↓//api.example.org\""),
            .bad("app.js", "if (↓location.protocol === \"https:\") a()", "only a warning"),
            .good("app.js", "x = \"https://api.example.org\"; location.protocol = \"https:\""),
            .good(
                "app.js", "if (location.protocol === \"blob:\") a()",
                "true nowhere, whatever the scheme"),
        ],
        document: { document, sink in
            let facts = document.facts(.locationProtocol)
            for fact in facts where fact.fact.detail == "joined" && fact.fact.value.count > 2 {
                sink.report(
                    at: fact.range,
                    "this becomes '\(document.profile.scheme.lowercased()):\(fact.text)…', which the handler gets"
                )
            }
            let others = facts.filter {
                $0.fact.detail == "compared"
                    || $0.fact.detail == "joined" && $0.fact.value.count <= 2
            }
            if let first = others.first {
                sink.report(
                    at: first.range,
                    "location.protocol is '\(document.profile.scheme.lowercased()):' on the device",
                    notes: others.count > 1 ? ["\(others.count - 1) more in this file"] : [],
                    severity: .warning)
            }
        })
}
