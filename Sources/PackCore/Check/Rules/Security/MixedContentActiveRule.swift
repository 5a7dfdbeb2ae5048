extension Rule {
    /// Scripts, styles, fonts and frames of the custom scheme in a page that came over https.
    static let mixedContentActive = Rule(
        "mixed-content-active", "an https page cannot load this over the custom scheme",
        group: .security, level: .securePages(.error),
        explanation: .init(
            what: """
                Finds scripts, style sheets, fonts and frames with a custom-scheme URL in pages that \
                the app loads over https.
                """,
            why: """
                To WebKit the custom scheme is not secure: such content in an https page is mixed \
                content and blocked before the app's handler is asked. No policy and no header allows \
                it, so the page has no scripts and no styles.
                """,
            source: """
                HITE's table (iOS 11 and 12); WebKit MixedContentChecker, bug 271345; proved in \
                WebKitGTK (Tests/Rigs/WebKit/cases/mixed-content-active)
                """,
            instead: """
                Load the page itself over the custom scheme (page-origin: custom); then relative URLs \
                do all the rest.
                """,
            detection: """
                The reference spells the custom scheme, its kind is active content, and the profile's \
                pages come over https or both ways.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓customscheme://www.example.com/app.js\"></script>",
                others: ["app.js": ""], profile: .seed003.with(pageOrigin: .https)),
            .bad(
                "index.html",
                """
                <link rel="stylesheet" href="↓customscheme://www.example.com/a.css">
                <object data="↓customscheme://www.example.com/b.html"></object>
                """, others: ["a.css": "", "b.html": ""],
                profile: .seed003.with(pageOrigin: .dual)),
            .bad(
                "app.css",
                "@font-face { font-family: A; src: url(\"↓customscheme://www.example.com/a.woff2\") }",
                others: ["a.woff2": ""], profile: .seed003.with(pageOrigin: .https)),
            .good(
                "index.html", "<script src=\"app.js\"></script>", others: ["app.js": ""],
                profile: .seed003.with(pageOrigin: .https)),
            .good(
                "index.html", "<script src=\"customscheme://www.example.com/app.js\"></script>",
                "a page of the custom scheme loads it", others: ["app.js": ""]),
        ],
        document: { document, sink in
            for reference in document.references
            where SecurityModel.spellsCustomScheme(reference, document.profile)
                && SecurityModel.isActive(reference)
            {
                sink.report(
                    reference,
                    "an https page never gets '\(reference.text)': WebKit blocks it as mixed content"
                )
            }
        })
}
