extension Rule {
    /// A fragment that becomes part of the file name.
    static let fragmentInSubresource = Rule(
        "fragment-in-subresource", "the fragment becomes part of the file name", group: .lookup,
        level: .init("error where the handler keeps fragments (seed003)") {
            $0.client.fragment == .keep ? .error : nil
        },
        explanation: .init(
            what: "Finds custom URLs with `#…` that would find a packaged file without it.",
            why: """
                WebKit removes fragments only from http and https URLs. The handler receives \
                `cs://h/sprite.svg#icon` and looks for a file named `sprite.svg#icon`.
                """,
            sources: [
                .cite(.webkitSource, "MemoryCache.cpp, shouldRemoveFragmentIdentifier"),
                .cite(.ruleStudy, "client model"), .proof("fragment-in-subresource"),
            ],
            instead: """
                Inline the sprite, drop SVG fonts, or write `sprite.svg?#icon`: this client cuts \
                the URL at `?`.
                """,
            detection: "The lookup fails with the fragment and succeeds without it."),
        examples: [
            .bad(
                "index.html", "<svg><use href=\"↓sprite.svg#icon\"></use></svg>",
                others: ["sprite.svg": ""]),
            .bad(
                "app.css", "@font-face { src: url(↓f.svg#name) }", others: ["f.svg": ""]),
            .bad(
                "index.html", "<a href=\"↓about.html#team\">team</a>",
                "a link to another packaged page", others: ["about.html": ""]),
            .good(
                "index.html",
                "<svg><use href=\"#icon\"></use></svg><a href=\"index.html#top\">top</a>"),
            .good(
                "index.html", "<svg><use href=\"sprite.svg?#icon\"></use></svg>",
                others: ["sprite.svg": ""]),
        ],
        document: misses { cause, reference, _ in
            guard cause == .fragment else { return nil }
            return FaultReport(
                message:
                    """
                    the handler treats the fragment of '\(reference.text)' as part of the file \
                    name
                    """)
        })
}
