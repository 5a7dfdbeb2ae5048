import PackWeb

extension Rule {
    /// A fallback over plain http, and URLs it would garble.
    static let fallbackPlainHTTP = Rule(
        "fallback-plain-http", "the handler falls back to plain http", group: .lookup,
        level: .init(
            "warning where the handler falls back to http or https by replacing the scheme"
        ) {
            $0.client.fallback == .none ? nil : .warning
        },
        explanation: .init(
            what: """
                Says once that misses go to plain http, and finds URLs in which the scheme's name stands \
                a second time.
                """,
            why: """
                App Transport Security blocks plain http unless the app makes an exception. And the \
                handler replaces the scheme's name wherever it stands: of \
                'cs://h/cs-logo.png' it makes 'http://h/http-logo.png'.
                """,
            source: "S003 stringByReplacingOccurrencesOfString:; NSAppTransportSecurity",
            instead: "Let the app fall back to https, and keep the scheme's name out of paths.",
            detection: "The profile's fallback; the text of each custom URL."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme-logo.png\">",
                others: ["customscheme-logo.png": ""],
                profile: Example.profile.with { $0.client.fallback = .https }),
            .bad(
                "index.html", "<p>x</p>", "advice about the profile itself", silent: []),
            .good(
                "index.html", "<img src=\"logo.png\">", others: ["logo.png": ""],
                profile: Example.profile.with { $0.client.fallback = .https }),
        ],
        document: { document, sink in
            let scheme = document.profile.canonicalScheme
            for reference in document.references where reference.resolution.reachesHandler {
                guard LookupModel.isOpened(reference, document), reference.isEffective,
                    let url = reference.resolution.url, url.scheme == scheme,
                    Array(url.serialized().dropFirst(scheme.count)).firstRange(of: scheme) != nil,
                    URLFault.of(reference, in: document.site) == nil
                else { continue }
                sink.report(
                    reference, "the fallback replaces the scheme's name here, too",
                    notes: document.site.hints(for: reference.resolution))
            }
        },
        site: { context, sink in
            if context.profile.client.fallback == .http {
                sink.report(
                    name: ".",
                    "the handler asks http, not https, for files that are not in the package",
                    severity: .info)
            }
        })
}
