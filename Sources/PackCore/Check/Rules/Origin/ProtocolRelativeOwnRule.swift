extension Rule {
    /// `//host/…` with the pages' own host, in an https page.
    static let protocolRelativeOwn = Rule(
        "protocol-relative-own", "'//host' in an https page bypasses the package", group: .origin,
        level: .securePages(.warning),
        explanation: .init(
            what: """
                Finds URLs that start with `//` and name one of the pages' own hosts and a \
                packaged file, where pages are loaded over https.
                """,
            why: """
                In an https page `//www.example.com/x.js` means https: the file is loaded from the \
                network although it is in the package. In a custom-scheme page the same spelling \
                is the recommended one.
                """,
            sources: [.cite(.s004, "third way"), .cite(.hite, "section 3")],
            instead: "Load the page itself over the custom scheme (`page-origin: custom`).",
            detection: "The reference starts with two slashes and names a packaged file."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓//www.example.com/x.js\"></script>",
                others: ["x.js": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "index.html", "<script src=\"//www.example.com/x.js\"></script>",
                "a custom-scheme page", others: ["x.js": ""]),
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
                    """
                    in an https page '\(reference.text)' is loaded from the network, not from \
                    the package
                    """
                )
            }
        })
}
