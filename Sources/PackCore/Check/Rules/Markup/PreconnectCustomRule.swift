import PackWeb

extension Rule {
    /// A connection hint for a scheme without connections.
    static let preconnectCustom = Rule(
        "preconnect-custom", "a connection hint has the custom scheme", group: .markup,
        level: .always(.hint), fix: .safe,
        explanation: .init(
            what: "Finds preconnect and dns-prefetch links with a custom URL.",
            why: "There is no connection to open: the handler answers inside the app.",
            sources: [.cite(.htmlStandard, "link type preconnect")],
            instead: "Remove the link, or name the https host of the service.",
            detection: "The resolved scheme of the link is checked."),
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
                    reference, "a custom URL opens no connection",
                    fix: document.removal(of: element))
            }
        })
}
