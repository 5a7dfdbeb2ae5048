import PackWeb

// Two rules about one thing: what stands beside the host of a custom URL.

extension Rule {
    /// A port in a custom URL.
    static let customURLPort = Rule(
        "custom-url-port", "a custom URL with a port", group: .scheme, level: .always(.warning),
        fix: .safe,
        explanation: .init(
            what: "Finds custom URLs with a port.",
            why: """
                No port is the default of a custom scheme, so ':443' stays: it makes another origin, and \
                a handler that falls back to http asks port 443 for plain text.
                """,
            source: "URL standard, port state",
            instead: "Leave the port out.",
            detection: "The parsed port."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme://www.example.com:443/x.png\">",
                others: ["x.png": ""]),
            .good("index.html", "<a href=\"https://www.example.com:8443/\">x</a>"),
        ],
        document: { document, sink in
            for (reference, url) in CustomURLParts.custom(document) {
                guard let port = url.port else { continue }
                var plain = url
                plain.port = nil
                sink.report(
                    reference, "the port \(port) makes this another origin",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })

    /// A user name in a custom URL.
    static let customURLCredentials = Rule(
        "custom-url-credentials", "a custom URL with a user name", group: .scheme,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds custom URLs with 'user:password@'.",
            why: "The handler does not read it, and a package is no place for a password.",
            source: "URL standard, authority state",
            instead: "Leave it out.",
            detection: "The parsed credentials."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme://me:secret@www.example.com/x.png\">",
                others: ["x.png": ""]),
            .good(
                "index.html", "<img src=\"customscheme://www.example.com/a@b.png\">",
                others: ["a@b.png": ""]),
        ],
        document: { document, sink in
            for (reference, url) in CustomURLParts.custom(document) where url.hasCredentials {
                var plain = url
                plain.username = []
                plain.password = []
                sink.report(
                    reference, "a user name in a URL of the package",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })
}

private enum CustomURLParts {
    /// The references that have their own custom URL.
    static func custom(_ document: DocumentContext) -> [(Reference, URLRecord)] {
        document.references.compactMap { reference in
            guard reference.use != .inert, reference.use != .identifier,
                reference.use != .literal, reference.isEffective,
                let url = reference.resolution.url,
                url.scheme == document.profile.canonicalScheme
            else { return nil }
            return (reference, url)
        }
    }
}
