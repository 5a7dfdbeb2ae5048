import PackWeb

extension Rule {
    /// Metadata for other services that only the app could load.
    static let metaAbsoluteHTTPS = Rule(
        "meta-absolute-https", "metadata for other services has no https URL", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds og:image, og:url, twitter:image, canonical and alternate links with the \
                custom scheme, and such meta elements without a scheme.
                """,
            why: """
                Crawlers, share sheets and messengers read these outside the app, where neither a \
                custom URL nor a relative one works.
                """,
            sources: [.cite(.openGraph), .cite(.htmlProofer, "OpenGraph check")],
            instead: "Write the full https URL, and exclude it from rewriting.",
            detection:
                """
                Metadata links and meta elements are checked; a relative URL is reported for \
                meta elements only, as a warning.
                """
        ),
        examples: [
            .bad(
                "index.html",
                "<meta property=\"og:image\" content=\"↓customscheme://www.example.com/a.png\">"),
            .bad(
                "index.html",
                "<link rel=\"canonical\" href=\"↓customscheme://www.example.com/\">"),
            .bad("index.html", "<meta name=\"twitter:image\" content=\"↓/a.png\">", "a warning"),
            .good("index.html", "<meta property=\"og:image\" content=\"{{ image }}\">"),
            .good(
                "index.html",
                "<meta property=\"og:image\" content=\"https://www.example.com/a.png\"><link rel=\"alternate\" href=\"feed.xml\">"
            ),
        ],
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.htmlKind == .metadata {
                guard reference.isEffective, let element = document.element(of: reference),
                    let url = reference.resolution.url, Placeholder.find(in: reference.value) == nil
                else { continue }
                if reference.writtenScheme == custom {
                    sink.report(
                        reference, "'\(reference.text)' cannot be loaded outside the app",
                        fix: ReferenceAddress.secure(of: url).flatMap {
                            document.safeFix(reference, to: $0)
                        })
                } else if element.name == "meta", reference.writtenScheme == nil,
                    Metadata.isAbsoluteDemanded(element, document)
                {
                    sink.report(
                        reference, "write the full https URL here", severity: .warning)
                }
            }
        })
}

private enum Metadata {
    /// What share sheets and crawlers read; Windows tiles may be relative.
    static func isAbsoluteDemanded(_ element: HTMLElement, _ document: DocumentContext) -> Bool {
        let about =
            document.keyword("property", of: element) ?? document.keyword("name", of: element) ?? ""
        return about.hasPrefix("og:") || about.hasPrefix("twitter:")
    }
}
