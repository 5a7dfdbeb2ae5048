extension Rule {
    /// A request to the custom scheme from an https page.
    static let jsAjaxCustomFromHttps = Rule(
        "js-ajax-custom-from-https",
        """
        an https page requests data with a custom URL
        """, group: .script,
        level: .securePages(.error),
        explanation: .init(
            what: """
                Finds fetch and XMLHttpRequest with a custom URL where pages are loaded over \
                https.
                """,
            why: "WebKit blocks the request as mixed content before the handler is called.",
            sources: [
                .cite(.hite, "table"), .cite(.webkitSource, "MixedContentChecker.cpp"),
                .proof("js-ajax-custom-from-https"),
            ],
            instead: "Request the data over https.",
            detection: """
                The scheme of the string itself is checked. Only string literals are checked; \
                values in variables are not known.
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
                sink.report(
                    at: fact.range,
                    """
                    '\(fact.text)' is never requested: it is mixed content
                    """)
            }
        })
}
