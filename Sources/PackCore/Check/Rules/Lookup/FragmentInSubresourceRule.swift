extension Rule {
    /// A fragment that becomes part of the file's name.
    static let fragmentInSubresource = Rule(
        "fragment-in-subresource", "the fragment becomes part of the file's name", group: .lookup,
        level: .init("error where the handler keeps fragments (seed003)") {
            $0.client.fragment == .keep ? .error : nil
        },
        explanation: .init(
            what: "Finds custom URLs with '#…' that name a packaged file without it.",
            why: """
                WebKit cuts fragments off for http and https only. The handler gets \
                'cs://h/sprite.svg#icon' and looks for a file 'sprite.svg#icon'.
                """,
            source: "MemoryCache.cpp shouldRemoveFragmentIdentifier; rules section 1.2",
            instead: """
                Put the sprite into the page, drop SVG fonts, or write 'sprite.svg?#icon', which this \
                client cuts at the '?'.
                """,
            detection: "The look-up fails with the fragment and succeeds without it."),
        examples: [
            .bad(
                "index.html", "<svg><use href=\"↓sprite.svg#icon\"></use></svg>",
                others: ["sprite.svg": ""]),
            .bad(
                "app.css", "@font-face { src: url(↓f.svg#name) }", others: ["f.svg": ""]),
            .bad(
                "index.html", "<a href=\"↓about.html#team\">team</a>",
                "a link to another page of the package", others: ["about.html": ""]),
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
                    "the handler takes the fragment of '\(reference.text)' for part of the name")
        })
}
