import PackWeb

extension Rule {
    /// A web app manifest that was rewritten.
    static let webmanifestUrls = Rule(
        "webmanifest-urls", "a web app manifest has URLs of the custom scheme", group: .data,
        level: .init("info; error for start_url, scope and id where pages come over https") { _ in
            .info
        },
        explanation: .init(
            what: "Finds URLs with the custom scheme in a web app manifest.",
            why: """
                A web view does not read manifests, browsers do; there start_url has to be of \
                the page's origin, and no browser knows the scheme.
                """,
            source: "Application Manifest (process the start_url member); rules section 6",
            instead: "Leave manifests out of the rewriting.",
            detection: "The members that hold URLs; the manifest is known by its name."),
        examples: [
            .bad("site.webmanifest", "{\"start_url\":\"↓customscheme://www.example.com/\"}"),
            .good(
                "site.webmanifest", "{\"start_url\":\"/\",\"icons\":[{\"src\":\"/i.png\"}]}",
                others: ["i.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references {
                guard reference.kind == .data(.manifest) || reference.kind == .data(.manifestPage),
                    reference.writtenScheme == document.profile.canonicalScheme
                else { continue }
                let isPage =
                    reference.kind == .data(.manifestPage) && document.profile.hasSecurePages
                sink.report(
                    reference, "no browser knows '\(reference.text)'",
                    severity: isPage ? .error : nil)
            }
        })
}
