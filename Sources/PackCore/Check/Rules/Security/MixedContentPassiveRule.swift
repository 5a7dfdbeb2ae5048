extension Rule {
    /// Images and media with custom URLs in an https page.
    static let mixedContentPassive = Rule(
        "mixed-content-passive", "an https page loads this image on some iOS versions only",
        group: .security, level: .securePages(.warning),
        explanation: .init(
            what: """
                Finds images, backgrounds and media with a custom URL in pages that the app loads \
                over https.
                """,
            why: """
                Old iOS releases load such passive content, those of spring 2024 blocked it for a \
                while, and from OS 26.6 on it is blocked again in pages from the network.
                """,
            sources: [
                .cite(.hite, "table"),
                .issue(.webkitBugs, 271345, 319871, detail: "seen on OS 26.6 beta 5"),
                .proof("mixed-content-passive"),
            ],
            instead: "Load the page itself over the custom scheme (`page-origin: custom`).",
            detection: """
                The reference spells the custom scheme, its kind is passive content, and the \
                profile's pages are loaded over https or both ways.
                """),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme://www.example.com/a.png\">",
                others: ["a.png": ""], profile: .seed003.with(pageOrigin: .https)),
            .bad(
                "app.css", "a { background: url(\"↓customscheme://www.example.com/a.png\") }",
                others: ["a.png": ""], profile: .seed003.with(pageOrigin: .dual)),
            .good(
                "index.html", "<img src=\"a.png\">", others: ["a.png": ""],
                profile: .seed003.with(pageOrigin: .https)),
            .good(
                "index.html", "<img src=\"customscheme://www.example.com/a.png\">",
                others: ["a.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references
            where SecurityModel.spellsCustomScheme(reference, document.profile)
                && SecurityModel.isPassive(reference)
            {
                sink.report(
                    reference,
                    "whether an https page shows '\(reference.text)' depends on the iOS release")
            }
        })
}
