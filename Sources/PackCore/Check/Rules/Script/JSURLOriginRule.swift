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
            detection: "The member directly after the constructor is reported."),
        examples: [
            .bad("app.js", "x = ↓new URL(u).origin === location.origin"),
            .good("app.js", "x = new URL(u).host"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.urlOrigin)) { _ in
                "new URL(…).origin is 'null' for the custom scheme"
            }
        })
}
