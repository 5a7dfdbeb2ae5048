extension Rule {
    /// CORS requests to another host of the custom scheme, to which the handler sends no CORS
    /// header.
    static let crossoriginNoCORS = Rule(
        "crossorigin-no-cors", "a request needs a CORS header that the handler does not send",
        group: .security,
        level: .init(
            """
            error where the handler sends no CORS headers and pages are loaded over the custom \
            scheme
            """
        ) {
            $0.hasCustomPages && !$0.client.sendsCORS ? .error : nil
        }, fix: .unsafe,
        explanation: .init(
            what: """
                Finds `crossorigin`, module scripts and font preloads that go to another host of \
                the custom scheme.
                """,
            why: """
                The response to such a request needs Access-Control-Allow-Origin. The handler does \
                not send it, so WebKit discards the response and the script never runs. A request \
                within one web origin (same scheme, host and port) needs no header.
                """,
            sources: [
                .cite(.fetchStandard, "CORS check"),
                .proof("crossorigin-no-cors", "crossorigin-module"),
            ],
            instead: "Load everything from the page's own host, or remove `crossorigin`.",
            detection: """
                The reference resolves to the custom scheme with another host or port than the \
                page's, and is a module script, a font preload, or has `crossorigin`.
                """),
        examples: [
            .bad(
                "index.html",
                "<script src=\"↓customscheme://cdn.example.com/app.js\" crossorigin></script>",
                others: ["app.js": ""], profile: twoHosts),
            .bad(
                "index.html", "<script type=\"module\" src=\"↓//cdn.example.com/app.js\"></script>",
                "modules are always loaded with CORS", others: ["app.js": ""], profile: twoHosts),
            .good(
                "index.html", "<script src=\"app.js\" crossorigin></script>",
                "the page's own host", others: ["app.js": ""], profile: twoHosts),
            .good(
                "index.html", "<script src=\"//cdn.example.com/app.js\"></script>",
                others: ["app.js": ""], profile: twoHosts),
            .good(
                "index.html", "<script src=\"//cdn.example.com/app.js\" crossorigin></script>",
                "the handler sends the header", others: ["app.js": ""],
                profile: twoHosts.with { $0.client.sendsCORS = true }),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched
                && SecurityModel.isOtherCustomOrigin(reference, in: document)
            {
                guard let element = document.element(of: reference) else { continue }
                let attribute = document.attribute("crossorigin", of: element)
                let isAlways =
                    reference.htmlKind == .moduleScript || reference.htmlKind == .modulePreload
                    || reference.htmlKind == .fontPreload
                guard isAlways || attribute != nil else { continue }
                let hasIntegrity = document.has("integrity", element)
                let fix =
                    isAlways || hasIntegrity
                    ? nil : attribute.map { document.removal($0, .unsafe) }
                sink.report(
                    reference,
                    "'\(reference.text)' has another web origin, and the handler sends no "
                        + "Access-Control-Allow-Origin",
                    fix: fix)
            }
        })

    /// Pages on one host, files on another.
    private static let twoHosts = Example.profile.with {
        $0.hosts = ["www.example.com", "cdn.example.com"]
    }
}
