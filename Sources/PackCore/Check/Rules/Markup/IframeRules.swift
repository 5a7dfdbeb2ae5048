import PackWeb

// Two rules about one thing: frames of another scheme than the page's.

extension Rule {
    /// A frame of the package in a page that came over https.
    static let iframeCustomInHTTPS = Rule(
        "iframe-custom-in-https", "an https page frames a page of the package", group: .markup,
        level: .securePages(.error),
        explanation: .init(
            what: "Finds frames with a custom URL in pages that are loaded over https.",
            why: "The web view takes it for mixed content and does not ask the handler.",
            source: "HITE's measurements on iOS 11 and 12; MixedContentChecker.cpp",
            instead: "Load the page itself over the custom scheme, or frame an https page.",
            detection: "The resolved scheme of frames and objects."),
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
                sink.report(reference, "an https page may not frame a page of the custom scheme")
            }
        })

    /// Another site's page in a page of the package.
    static let iframeHTTPSInCustom = Rule(
        "iframe-https-in-custom", "a page of the package frames another site", group: .markup,
        level: .customPages(.info),
        explanation: .init(
            what: "Finds frames with an https URL in pages of the custom scheme.",
            why: """
                The other site sees an ancestor that is not http: 'frame-ancestors' and X-Frame-Options \
                can refuse it, and its cookies count as those of a third party.
                """,
            source: "CSP 3 frame-ancestors; rules section 4",
            instead: "Try it on a phone, or open the page by itself.",
            detection: "The scheme of frames."),
        examples: [
            .bad("index.html", "<iframe src=\"↓https://pay.example.net/\"></iframe>"),
            .good("index.html", "<iframe src=\"about:blank\"></iframe>"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .frame {
                guard reference.isEffective, reference.resolution.outcome == .otherOrigin,
                    reference.resolution.url?.isSpecial == true, reference.resolution.twin == nil
                else { continue }
                sink.report(reference, "test whether this site lets a custom scheme frame it")
            }
        })
}
