extension Rule {
    /// A scheme that is not valid by the URL standard.
    static let schemeSyntax = Rule(
        "scheme-syntax", "the scheme is not a valid URL scheme", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds a configured scheme, and words before `://` that are almost the scheme, with \
                a character that a scheme cannot contain, such as `_`, or with a leading digit.
                """,
            why: """
                `custom_scheme://h/x.js` is not a URL with a scheme but a relative path: the page \
                requests `…/custom_scheme://h/x.js`, and no error is shown. Registering such a \
                scheme raises NSInvalidArgumentException.
                """,
            sources: [
                .cite(.rfc3986, "section 3.1"), .cite(.webkitSource, "WKWebViewConfiguration.mm"),
                .cite(.nodeURL), .proof("scheme-syntax"),
            ],
            instead: "Use a letter followed by letters, digits, `+`, `-` and `.`: `custom-scheme`.",
            detection: """
                The configured scheme is checked, and every word before `://` that differs from it \
                by at most two letters.
                """),
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
            return FaultReport(
                message: """
                    '\(word)' is not a valid scheme, so this is a relative path
                    """)
        },
        site: { context, sink in
            let scheme = context.profile.scheme
            if Reference.scheme(of: Array("\(scheme):".utf8)) == nil {
                sink.report(
                    name: ".",
                    """
                    the configured scheme '\(printable(scheme.utf8))' is not valid; use \
                    letters, digits, '+', '-' and '.', a letter first
                    """)
            }
        })
}
