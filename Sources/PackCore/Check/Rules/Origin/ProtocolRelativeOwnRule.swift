import PackWeb

extension Rule {
    /// `//host/…` of the own host, in a page that came over https.
    static let protocolRelativeOwn = Rule(
        "protocol-relative-own", "'//host' of an https page passes the package by", group: .origin,
        level: .securePages(.warning),
        explanation: .init(
            what: """
                Finds URLs that start with `//` and name one of the pages' own hosts and a packaged \
                file, where pages come over https.
                """,
            why: """
                In an https page `//www.example.com/x.js` is https: the file comes over the network \
                although it is in the package. In a page of the custom scheme the same spelling is the \
                recommended one.
                """,
            source: "S004 (third way); HITE section 3",
            instead: "Load the page itself over the custom scheme (page-origin: custom).",
            detection: "The reference starts with two slashes and names a packaged file."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓//www.example.com/x.js\"></script>",
                others: ["x.js": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "index.html", "<script src=\"//www.example.com/x.js\"></script>",
                "a page of the custom scheme", others: ["x.js": ""]),
            .good(
                "index.html", "<script src=\"//cdn.example.org/x.js\"></script>",
                profile: Example.profile.with(pageOrigin: .https)),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.isProtocolRelative && reference.isEffective && reference.use.isFetched
                && reference.resolution.twin != nil
                && document.profile.ownsWebHost(reference.resolution.url?.host)
            {
                sink.report(
                    reference,
                    "in an https page '\(reference.text)' comes over the network, not from the package"
                )
            }
        })
}
