extension Rule {
    /// A URL of the custom scheme that does not parse.
    static let customURLUnparsable = Rule(
        "custom-url-unparsable", "a custom URL that does not parse", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what:
                "Finds URLs of the custom scheme, and relative ones, that the URL standard refuses.",
            why: """
                A space in the host, or '[' without ']', makes the URL no URL: nothing is requested, and \
                no handler hears of it.
                """,
            source: "URL standard, opaque-host parser",
            instead: "Correct the host.",
            detection: "A parser by the WHATWG standard; others accept and refuse different URLs."),
        examples: [
            .bad("index.html", "<img src=\"↓customscheme://ho st/x.png\">"),
            .bad("app.css", "a { background: url(\"↓//ho st/x.png\") }"),
            .good("index.html", "<img src=\"data:,x\"><a href=\"https://a b/\">x</a>"),
        ],
        document: faults { fault, reference, _ in
            guard fault == .unparsable else { return nil }
            return FaultReport(message: "'\(reference.text)' is no URL")
        })
}
