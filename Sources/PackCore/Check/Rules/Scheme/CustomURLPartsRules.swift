// Two rules about the port and the credentials of a custom URL.

extension Rule {
    /// A port in a custom URL.
    static let customURLPort = Rule(
        "custom-url-port", "a custom URL has a port", group: .scheme, level: .always(.warning),
        fix: .safe,
        explanation: .init(
            what: "Finds custom URLs with a port.",
            why: """
                A custom scheme has no default port, so `:443` stays in the URL: it makes a \
                different web origin, and a handler that falls back to http requests plain text \
                from port 443.
                """,
            sources: [.cite(.urlStandard, "port state"), .proof("custom-url-port")],
            instead: "Leave the port out.",
            detection: "The parsed port is not empty."),
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
                    reference, "the port \(port) makes this a different web origin",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })

    /// A user name in a custom URL.
    static let customURLCredentials = Rule(
        "custom-url-credentials", "a custom URL has a user name", group: .scheme,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds custom URLs with `user:password@`.",
            why: "The handler ignores credentials, and everything in a package is public.",
            sources: [.cite(.urlStandard, "authority state")],
            instead: "Leave the credentials out.",
            detection: "The parsed user name or password is not empty."),
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
                    reference, "a custom URL has a user name",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })
}

private enum CustomURLParts {
    /// The references that resolve to a custom URL.
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
