import PackWeb

extension Rule {
    /// A URL that is composed with the page's scheme.
    static let jsLocationProtocol = Rule(
        "js-location-protocol", "a URL is composed with the page's scheme", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds `location.protocol + "//host…"`, and `location.protocol` compared with \
                `"https:"`.
                """,
            why: """
                In a custom-scheme page `location.protocol` is `customscheme:`. The URL becomes \
                `customscheme://api.example.org`, which goes to the handler, and comparisons with \
                `https:` are false.
                """,
            sources: [.issue(.jwplayer, 3561), .cite(.ruleStudy), .proof("js-location-protocol")],
            instead: "Write `\"https:\"`.",
            detection: """
                A comparison that guards something, and is false here, is a hint. Joined with a \
                literal that names a host it is an error; compared, or joined with \
                `"//"` alone, it is a warning, once for each file. Only string literals are \
                checked; values in variables are not known.
                """),
        examples: [
            .bad("app.js", "x = location.protocol + \"↓//api.example.org\""),
            .bad(
                "app.js", "x = ↓location.protocol === \"https:\" ? \"wss:\" : \"ws:\"",
                "only a warning"),
            .bad("app.js", "if (↓location.protocol === \"https:\") a()", "a guard: a hint"),
            .good("app.js", "x = \"https://api.example.org\"; location.protocol = \"https:\""),
            .good(
                "app.js", "if (location.protocol === \"blob:\") a()",
                "false for every page scheme"),
        ],
        document: { document, sink in
            let facts = document.facts(.locationProtocol)
            for fact in facts
            where fact.fact.detail == "joined" && fact.fact.value.count > 2 && !fact.isHarmless {
                sink.report(
                    at: fact.range,
                    """
                    this becomes '\(document.profile.scheme.lowercased()):\(fact.text)…', \
                    which goes to the handler
                    """
                )
            }
            let others = facts.filter {
                $0.fact.detail == "compared"
                    || $0.fact.detail == "joined" && $0.fact.value.count <= 2
            }
            let serious = others.filter { !$0.isHarmless }
            if let first = serious.first ?? others.first {
                let count = serious.isEmpty ? others.count : serious.count
                sink.report(
                    at: first.range,
                    "location.protocol is '\(document.profile.scheme.lowercased()):' on the device",
                    notes: count > 1 ? ["\(count - 1) more in this file"] : [],
                    severity: serious.isEmpty ? .hint : .warning, cause: "compared")
            }
        })
}
