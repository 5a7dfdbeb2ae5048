extension Rule {
    /// A service request that goes to the handler.
    static let apiURLRewritten = Rule(
        "api-url-rewritten", "a service URL has the custom scheme", group: .lookup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds forms and script requests whose URL has the custom scheme and names no \
                packaged file.
                """,
            why: """
                The handler has no such file and falls back to its own request: a GET without \
                headers and body. Everything the page sends is lost.
                """,
            sources: [
                .cite(.s003, "a new NSMutableURLRequest"), .cite(.ruleStudy, "client model"),
                .proof("api-url-rewritten"),
            ],
            instead: "Leave services on https.",
            detection: """
                Forms and sending calls are reported where their custom URL finds no file.
                """),
        examples: [
            .bad(
                "index.html",
                "<form action=\"↓customscheme://www.example.com/login\" method=\"post\"></form>"),
            .good("index.html", "<form action=\"https://www.example.com/login\"></form>"),
            .good(
                "index.html", "<form action=\"customscheme://www.example.com/find.html\"></form>",
                "a packaged page", others: ["find.html": ""]),
        ],
        document: { document, sink in
            for reference in document.references {
                guard reference.use == .submission || reference.use == .request,
                    reference.writtenScheme == document.profile.canonicalScheme,
                    reference.resolution.isMiss,
                    URLFault.of(reference, in: document.site) == nil,
                    let url = reference.resolution.url
                else { continue }
                sink.report(
                    reference,
                    """
                    '\(reference.text)' is sent to the handler, which drops the request's \
                    method, headers and body
                    """,
                    notes: document.site.hints(for: reference.resolution),
                    fix: ReferenceAddress.secure(of: url).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })
}
