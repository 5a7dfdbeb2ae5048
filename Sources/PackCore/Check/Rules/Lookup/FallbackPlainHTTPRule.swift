extension Rule {
    /// A fallback over plain http, and URLs that it would break.
    static let fallbackPlainHTTP = Rule(
        "fallback-plain-http", "the handler falls back to plain http", group: .lookup,
        level: .init(
            "warning where the handler falls back to http or https by replacing the scheme"
        ) {
            $0.client.fallback == .none ? nil : .warning
        },
        explanation: .init(
            what: """
                Reports once that missing files are requested over plain http, and finds URLs that \
                contain the scheme's name a second time.
                """,
            why: """
                App Transport Security blocks plain http unless the app allows it. The handler \
                also replaces every occurrence of the scheme's name: `cs://h/cs-logo.png` becomes \
                `http://h/http-logo.png`.
                """,
            sources: [
                .cite(.s003, "stringByReplacingOccurrencesOfString:"),
                .cite(.appleDocs, "NSAppTransportSecurity"),
            ],
            instead: "Have the app fall back to https, and keep the scheme's name out of paths.",
            detection: "The profile's fallback and the text of each custom URL are checked."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme-logo.png\">",
                others: ["customscheme-logo.png": ""],
                profile: Example.profile.with { $0.client.fallback = .https }),
            .bad(
                "index.html", "<p>x</p>", "a hint about the profile itself", silent: []),
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
                    reference, "the fallback also replaces the scheme's name here",
                    notes: document.site.hints(for: reference.resolution))
            }
        },
        site: { context, sink in
            if context.profile.client.fallback == .http {
                sink.report(
                    name: ".",
                    "the handler requests missing files over http, not https",
                    severity: .hint)
            }
        })
}
