extension Rule {
    /// Pictures and media of the custom scheme in a page that came over https.
    static let mixedContentPassive = Rule(
        "mixed-content-passive", "an https page loads this picture on some iOS only",
        group: .security, level: .securePages(.warning),
        explanation: .init(
            what: """
                Finds pictures, backgrounds and media with a custom-scheme URL in pages that the app \
                loads over https.
                """,
            why: """
                Old releases of iOS load such passive content, those of spring 2024 blocked it for a \
                while, and from OS 26.6 on pages that came from the network are refused it again.
                """,
            source: "HITE's table; WebKit bugs 271345 and 319871 (seen on OS 26.6 beta 5)",
            instead: "Load the page itself over the custom scheme (page-origin: custom).",
            detection: """
                The reference spells the custom scheme, its kind is passive content, and the profile's \
                pages come over https or both ways.
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
