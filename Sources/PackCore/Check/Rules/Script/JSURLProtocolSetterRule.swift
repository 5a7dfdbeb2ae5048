import PackWeb

extension Rule {
    /// A scheme that cannot be set.
    static let jsURLProtocolSetter = Rule(
        "js-url-protocol-setter", "setting the scheme of a custom URL does nothing", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds url.protocol = "https:".
                """,
            why: """
                The URL standard refuses to change between its own schemes and others: the \
                assignment is ignored without an error.
                """,
            source: "URL 6.1 (scheme state with state override)",
            instead: """
                Make a new URL from "https:" and the rest.
                """,
            detection: """
                Whether the object is a URL, and which, is not known: this warns. Fields of this \
                are left alone.
                """),
        examples: [
            .bad("app.js", "u.protocol = \"↓https:\""),
            .good("app.js", "this.protocol = \"https:\"; location.protocol = \"https:\""),
        ],
        document: { document, sink in
            for fact in document.facts(.protocolAssignment) {
                guard fact.fact.detail != "this",
                    ["https:", "http:", "https", "http"].contains(fact.text)
                else { continue }
                sink.report(at: fact.range, "on a custom URL this assignment does nothing")
            }
        })
}
