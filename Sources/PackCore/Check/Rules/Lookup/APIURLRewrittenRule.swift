extension Rule {
    /// A request for data that was sent to the handler.
    static let apiURLRewritten = Rule(
        "api-url-rewritten", "the URL of a service has the custom scheme", group: .lookup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds forms and requests of scripts that spell the custom scheme and name nothing in the \
                package.
                """,
            why: """
                The handler has no such file and makes a request of its own: GET, without headers and \
                without body. Whatever the page wanted to send is lost.
                """,
            source: "S003 (new NSMutableURLRequest); rules section 3",
            instead: "Leave services on https.",
            detection: "Forms and calls that send, whose custom URL finds no file."),
        examples: [
            .bad(
                "index.html",
                "<form action=\"↓customscheme://www.example.com/login\" method=\"post\"></form>"),
            .good("index.html", "<form action=\"https://www.example.com/login\"></form>"),
            .good(
                "index.html", "<form action=\"customscheme://www.example.com/find.html\"></form>",
                "a page of the package", others: ["find.html": ""]),
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
                    "'\(reference.text)' is sent to the handler, which drops what is sent",
                    notes: document.site.hints(for: reference.resolution),
                    fix: ReferenceAddress.secure(of: url).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })
}
