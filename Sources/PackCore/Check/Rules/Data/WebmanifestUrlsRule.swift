import PackProfile
import PackWeb

extension Rule {
    /// A web app manifest with rewritten URLs.
    static let webmanifestUrls = Rule(
        "webmanifest-urls", group: .data,
        level: .init(
            """
            hint if the app has a custom scheme; error for start_url, scope and id if pages are \
            loaded over https
            """
        ) { $0.isIntercepted ? nil : .hint },
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
