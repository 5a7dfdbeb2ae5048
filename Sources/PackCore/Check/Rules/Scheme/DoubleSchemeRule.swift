extension Rule {
    /// Two schemes or too many slashes in one URL: a typical result of search and replace.
    static let doubleScheme = Rule(
        "double-scheme", "a URL has two schemes or too many slashes", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds `cs://https://h/x`, `cs://cs://h/x`, `https:cs://h/x`, `cs:////h/x` and \
                `cs://h//x`.
                """,
            why: """
                Replacing `https:` twice, or in the wrong place, gives a URL whose host is \
                `https`. The handler may still find the file by its name, so the mistake shows \
                only when the file has to come from the network.
                """,
            sources: [
                .cite(
                    .urlStandard, "path state: an empty segment stays in the path of a custom URL"),
                .proof("double-scheme"),
            ],
            instead: "Replace scheme and host together, once, or use `packtool rewrite`.",
            detection: "The text of each URL is matched before it is parsed."),
        examples: [
            .bad(
                "index.html",
                "<script src=\"↓customscheme://https://www.example.com/x.js\"></script>",
                others: ["x.js": ""]),
            .bad(
                "index.html", "<img src=\"↓customscheme://customscheme://www.example.com/x.png\">",
                others: ["x.png": ""]),
            .bad(
                "index.html", "<img src=\"↓https:customscheme://www.example.com/x.png\">",
                others: ["x.png": ""]),
            .bad(
                "app.css", "a { background: url(↓customscheme://www.example.com//x.png) }",
                others: ["x.png": ""]),
            .good(
                "index.html",
                "<img src=\"customscheme://www.example.com/x.png?from=https://www.example.com//a\">",
                "a URL inside a query", others: ["a": "", "x.png": ""]),
        ],
        document: faults { fault, _, _ in
            guard case .doubleScheme(let meant) = fault else { return nil }
            return FaultReport(
                message: "the URL has two schemes or too many slashes", meant: meant)
        })
}
