import PackWeb

extension Rule {
    /// A connection that is opened to nobody.
    static let preconnectCustom = Rule(
        "preconnect-custom", "a connection hint for the custom scheme", group: .markup,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds preconnect and dns-prefetch links whose URL is a custom one.",
            why: "There is no connection to open: the handler answers in the app.",
            source: "HTML standard, link type preconnect; rules section 4",
            instead: "Remove the link, or let it name the https host of the service.",
            detection: "The resolved scheme of the link."),
        examples: [
            .bad("index.html", "<link rel=\"dns-prefetch\" href=\"↓//www.example.com\">"),
            .good("index.html", "<link rel=\"preconnect\" href=\"https://api.example.com\">"),
        ],
        document: { document, sink in
            for reference in document.references where reference.use == .connectionHint {
                guard reference.isEffective, let element = document.element(of: reference),
                    reference.resolution.url?.scheme == document.profile.canonicalScheme
                else { continue }
                sink.report(
                    reference, "no connection is opened for the custom scheme",
                    fix: document.removal(of: element))
            }
        })
}
