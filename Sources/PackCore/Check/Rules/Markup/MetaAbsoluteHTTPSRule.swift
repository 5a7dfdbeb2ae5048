import PackWeb

extension Rule {
    /// Metadata for others that only the app could load.
    static let metaAbsoluteHTTPS = Rule(
        "meta-absolute-https", "metadata for others does not have an https URL", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds og:image, og:url, twitter:image, canonical and alternate links with the custom \
                scheme, and such meta elements without a scheme.
                """,
            why: """
                Crawlers, share sheets and messengers read these from outside the app. A custom URL \
                means nothing to them; neither does a relative one.
                """,
            source: "ogp.me; html-proofer's OpenGraph check",
            instead: "Write the https URL in full, and leave it out of any rewriting.",
            detection:
                "Links and meta elements of the class META; relative ones are a warning for meta elements only."
        ),
        examples: [
            .bad(
                "index.html",
                "<meta property=\"og:image\" content=\"↓customscheme://www.example.com/a.png\">"),
            .bad(
                "index.html",
                "<link rel=\"canonical\" href=\"↓customscheme://www.example.com/\">"),
            .bad("index.html", "<meta name=\"twitter:image\" content=\"↓/a.png\">", "a warning"),
            .good(
                "index.html",
                "<meta property=\"og:image\" content=\"https://www.example.com/a.png\"><link rel=\"alternate\" href=\"feed.xml\">"
            ),
        ],
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.htmlKind == .metadata {
                guard reference.isEffective, let element = document.element(of: reference),
                    let url = reference.resolution.url
                else { continue }
                if reference.writtenScheme == custom {
                    sink.report(
                        reference, "nobody outside the app can load '\(reference.text)'",
                        fix: ReferenceAddress.secure(of: url).flatMap {
                            document.safeFix(reference, to: $0)
                        })
                } else if element.name == "meta", reference.writtenScheme == nil,
                    Metadata.isAbsoluteDemanded(element, document)
                {
                    sink.report(
                        reference, "this has to be an https URL in full", severity: .warning)
                }
            }
        })
}

private enum Metadata {
    /// What share sheets and crawlers read; tiles of Windows may be relative.
    static func isAbsoluteDemanded(_ element: HTMLElement, _ document: DocumentContext) -> Bool {
        let about =
            document.keyword("property", of: element) ?? document.keyword("name", of: element) ?? ""
        return about.hasPrefix("og:") || about.hasPrefix("twitter:")
    }
}
