extension Rule {
    /// A web app manifest that was rewritten.
    static let webmanifestUrls = Rule(
        "webmanifest-urls", "a web app manifest has custom URLs", group: .data,
        level: .init(
            """
            hint; error for start_url, scope and id where pages are loaded over https
            """
        ) { _ in
            .hint
        },
        explanation: .init(
            what: "Finds custom URLs in a web app manifest.",
            why: """
                Browsers read manifests, web views do not. In a browser `start_url` must be \
                same-origin with the page, and the custom scheme does not work.
                """,
            sources: [.cite(.appManifest, "process the start_url member")],
            instead: "Exclude manifests from rewriting.",
            detection: """
                The members that contain URLs are checked; a manifest is recognized by its name.
                """),
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
                    reference, "'\(reference.text)' does not work in a browser",
                    severity: isPage ? .error : nil)
            }
        })
}
