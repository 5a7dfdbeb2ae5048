import PackWeb

extension Rule {
    /// The origin of a URL object.
    static let jsURLOrigin = Rule(
        "js-url-origin", "the origin of a custom URL object is not the page's", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: "Finds `new URL(…).origin`.",
            why: """
                `new URL("customscheme://h/x").origin` is `"null"` by the standard, while \
                `location.origin` is `customscheme://h`: the two are never equal.
                """,
            sources: [
                .cite(.urlStandard, "origin"), .cite(.webkitSource, "SecurityOriginData.cpp"),
                .cite(.nodeURL), .proof("js-url-origin"),
            ],
            instead: "Compare protocol and host.",
            detection: """
                The member directly after the constructor, compared with `location.origin` or the \
                like, is a warning; elsewhere it is a hint, because most such URLs are https URLs.
                """),
        examples: [
            .bad("app.js", "x = ↓new URL(u).origin === location.origin"),
            .bad("app.js", "x = ↓new URL(u).origin + p", "only a hint"),
            .good("app.js", "x = new URL(u).host"),
        ],
        document: { document, sink in
            sink.reportFirst(
                document.facts(.urlOrigin),
                harmless: { $0.isHarmless || $0.fact.detail != "compared" }
            ) { _ in
                "new URL(…).origin is 'null' for the custom scheme"
            }
        })
}
