extension Rule {
    /// Two schemes in one URL, or a slash too many: what search and replace leaves behind.
    static let doubleScheme = Rule(
        "double-scheme", "two schemes in one URL, or a slash too many", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds 'cs://https://h/x', 'cs://cs://h/x', 'https:cs://h/x', 'cs:////h/x' and \
                'cs://h//x'.
                """,
            why: """
                Replacing 'https:' by the scheme twice, or in the wrong place, gives a URL whose host is \
                'https'. The handler may still find the file by its name, and nobody notices until the \
                network has to answer.
                """,
            source:
                "URL standard, path state: an empty component stays in the path of a custom URL",
            instead: "Replace scheme and host together, once; or let packtool rewrite do it.",
            detection: "The text of each URL, before it is parsed."),
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
                "a URL in a query is none of its own", others: ["a": "", "x.png": ""]),
        ],
        document: faults { fault, _, _ in
            guard case .doubleScheme(let meant) = fault else { return nil }
            return FaultReport(
                message: "the URL has two schemes or a slash too many", meant: meant)
        })
}
