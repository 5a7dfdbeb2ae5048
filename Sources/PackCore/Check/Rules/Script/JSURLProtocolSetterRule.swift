extension Rule {
    /// A scheme that cannot be changed.
    static let jsURLProtocolSetter = Rule(
        "js-url-protocol-setter",
        """
        changing the scheme of a custom URL has no effect
        """, group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: "Finds `url.protocol = \"https:\"`.",
            why: """
                The URL standard does not allow changing between web schemes and other schemes: \
                the assignment is silently ignored.
                """,
            sources: [
                .cite(.urlStandard, "scheme state with state override"), .cite(.nodeURL),
                .proof("js-url-protocol-setter"),
            ],
            instead: "Build a new URL from `https:` and the rest.",
            detection: """
                Whether the object is a URL is not known, so this is a warning. Fields of `this` \
                are skipped.
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
                sink.report(at: fact.range, "on a custom URL this assignment has no effect")
            }
        })
}
