extension Rule {
    /// Scripts, styles, fonts and frames with custom URLs in an https page.
    static let mixedContentActive = Rule(
        "mixed-content-active", "an https page cannot load this over the custom scheme",
        group: .security, level: .securePages(.error),
        explanation: .init(
            what: """
                Finds scripts, style sheets, fonts and frames with a custom URL in pages that the \
                app loads over https.
                """,
            why: """
                WebKit does not treat the custom scheme as secure: in an https page such content \
                is mixed content and is blocked before the app's handler is called. No policy or \
                header allows it, so the page has no scripts and no styles.
                """,
            sources: [
                .cite(.hite, "table (iOS 11 and 12)"),
                .cite(.webkitSource, "MixedContentChecker.cpp"), .issue(.webkitBugs, 271345),
                .proof("mixed-content-active"),
            ],
            instead: """
                Load the page itself over the custom scheme (`page-origin: custom`); relative URLs \
                then use it too.
                """,
            detection: """
                The reference spells the custom scheme, its kind is active content, and the \
                profile's pages are loaded over https or both ways.
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
                "a custom-scheme page may load it", others: ["app.js": ""]),
        ],
        document: { document, sink in
            for reference in document.references
            where SecurityModel.spellsCustomScheme(reference, document.profile)
                && SecurityModel.isActive(reference)
            {
                sink.report(
                    reference,
                    """
                    an https page cannot load '\(reference.text)': WebKit blocks it as mixed \
                    content
                    """
                )
            }
        })
}
