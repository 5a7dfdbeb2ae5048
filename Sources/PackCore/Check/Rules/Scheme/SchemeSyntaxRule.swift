extension Rule {
    /// A scheme that the URL standard does not take for one.
    static let schemeSyntax = Rule(
        "scheme-syntax", "a scheme that no browser takes for a scheme", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds a configured scheme, and words before '://' that nearly are the scheme, with a \
                character that schemes cannot have, such as '_', or a digit in front.
                """,
            why: """
                'custom_scheme://h/x.js' is no URL of another scheme but a relative path: the page asks \
                for '…/custom_scheme://h/x.js', and no error shows anywhere. Registering such a scheme \
                raises NSInvalidArgumentException.
                """,
            source: "RFC 3986 section 3.1; WKWebViewConfiguration.mm setURLSchemeHandler",
            instead: "Use letters, digits, '+', '-' and '.', a letter first: 'custom-scheme'.",
            detection: "The configured scheme, and words before '://' within two letters of it."),
        examples: [
            .bad("index.html", "<script src=\"↓custom_scheme://www.example.com/x.js\"></script>"),
            .bad(
                "index.html", "<p>anything</p>", "the configured scheme itself",
                profile: Example.profile.with { $0.scheme = "my_app" }, silent: []),
            .good(
                "index.html", "<script src=\"customscheme://www.example.com/x.js\"></script>",
                others: ["x.js": ""]),
        ],
        document: faults { fault, _, _ in
            guard case .notAScheme(let word) = fault else { return nil }
            return FaultReport(message: "'\(word)' is no scheme, so this is a relative path")
        },
        site: { context, sink in
            let scheme = context.profile.scheme
            if Reference.scheme(of: Array("\(scheme):".utf8)) == nil {
                sink.report(
                    name: ".",
                    "the configured scheme '\(printable(scheme.utf8))' is not one by RFC 3986")
            }
        })
}
