// Two rules about frames whose scheme differs from the page's.

extension Rule {
    /// A frame with a custom URL in an https page.
    static let iframeCustomInHTTPS = Rule(
        "iframe-custom-in-https", "an https page frames a packaged page", group: .markup,
        level: .securePages(.error),
        explanation: .init(
            what: "Finds frames with a custom URL in pages that are loaded over https.",
            why: "The web view treats the frame as mixed content and does not call the handler.",
            sources: [
                .cite(.hite, "table"), .cite(.webkitSource, "MixedContentChecker.cpp"),
                .proof("iframe-custom-in-https"),
            ],
            instead: "Load the page itself over the custom scheme, or frame an https page.",
            detection: "The resolved scheme of frames and objects is checked."),
        examples: [
            .bad(
                "index.html", "<iframe src=\"↓customscheme://www.example.com/a.html\"></iframe>",
                others: ["a.html": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "index.html", "<iframe src=\"customscheme://www.example.com/a.html\"></iframe>",
                others: ["a.html": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.use == .document {
                guard reference.isEffective,
                    reference.writtenScheme == document.profile.canonicalScheme
                else { continue }
                sink.report(reference, "an https page cannot frame a custom-scheme page")
            }
        })

    /// A frame with another site's page in a packaged page.
    static let iframeHTTPSInCustom = Rule(
        "iframe-https-in-custom", "a packaged page frames another site", group: .markup,
        level: .customPages(.hint),
        explanation: .init(
            what: "Finds frames with an https URL in custom-scheme pages.",
            why: """
                The framed site has a parent that is not http or https: `frame-ancestors` and \
                X-Frame-Options can refuse it, and its cookies are third-party cookies.
                """,
            sources: [.cite(.csp, "frame-ancestors"), .cite(.ruleStudy)],
            instead: "Test it on a phone, or open the other page on its own.",
            detection: "The scheme of frames is checked."),
        examples: [
            .bad("index.html", "<iframe src=\"↓https://pay.example.net/\"></iframe>"),
            .good("index.html", "<iframe src=\"about:blank\"></iframe>"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .frame {
                guard reference.isEffective, reference.resolution.outcome == .otherOrigin,
                    reference.resolution.url?.isSpecial == true, reference.resolution.twin == nil
                else { continue }
                sink.report(
                    reference,
                    """
                    check whether this site allows framing by a custom-scheme page
                    """)
            }
        })
}
