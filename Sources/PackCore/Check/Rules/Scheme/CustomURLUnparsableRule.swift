extension Rule {
    /// A URL of the custom scheme that does not parse.
    static let customURLUnparsable = Rule(
        "custom-url-unparsable", "a custom URL does not parse", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what:
                """
                Finds URLs of the custom scheme, and relative ones, that the URL standard \
                rejects.
                """,
            why: """
                A space in the host, or `[` without `]`, makes the URL invalid: nothing is \
                requested, and the handler is never called.
                """,
            sources: [.cite(.urlStandard, "opaque-host parser"), .proof("custom-url-unparsable")],
            instead: "Correct the host.",
            detection: """
                URLs are parsed by the WHATWG URL standard, as browsers do; other parsers accept \
                and reject different URLs.
                """),
        examples: [
            .bad("index.html", "<img src=\"↓customscheme://ho st/x.png\">"),
            .bad("app.css", "a { background: url(\"↓//ho st/x.png\") }"),
            .good("index.html", "<img src=\"data:,x\"><a href=\"https://a b/\">x</a>"),
        ],
        document: faults { fault, reference, _ in
            guard fault == .unparsable else { return nil }
            return FaultReport(message: "'\(reference.text)' is not a valid URL")
        })
}
