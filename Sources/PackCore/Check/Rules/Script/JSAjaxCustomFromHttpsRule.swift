import PackWeb

extension Rule {
    /// A request to the custom scheme from an https page.
    static let jsAjaxCustomFromHttps = Rule(
        "js-ajax-custom-from-https", "an https page asks the package for data", group: .script,
        level: .securePages(.error),
        explanation: .init(
            what: """
                Finds fetch and XMLHttpRequest with a URL of the custom scheme, where pages come \
                over https.
                """,
            why: "WebKit blocks it as mixed content before the handler is asked.",
            source: """
                HITE (README, table); WebKit MixedContentChecker.cpp; rules section 1.3
                """,
            instead: "Ask over https.",
            detection: """
                The scheme that the string itself spells. Literals of scripts are read; what \
                variables hold is not known.
                """),
        examples: [
            .bad(
                "app.js", "fetch(\"↓customscheme://www.example.com/a.json\")",
                others: ["a.json": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "app.js", "fetch(\"/a.json\")", others: ["a.json": ""],
                profile: Example.profile.with(pageOrigin: .https)),
        ],
        document: { document, sink in
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource)
            where fact.spells(document.profile.canonicalScheme) {
                sink.report(at: fact.range, "'\(fact.text)' is never asked for: mixed content")
            }
        })
}
