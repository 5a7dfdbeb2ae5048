extension Rule {
    /// A custom URL without a host.
    static let schemeMissingSlashes = Rule(
        "scheme-missing-slashes", "a custom URL has no '//' and host", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds `cs:/x.js`, `cs:x.js` and `cs:///x.js`.",
            why: """
                A browser repairs `https:/x`, but not custom URLs. Such a URL has no host: it is a \
                different web origin, its network URL is invalid, and a seed003 client looks for a \
                file named `cs:x.js`.
                """,
            sources: [
                .cite(.urlStandard, "scheme state (non-special schemes)"), .cite(.nodeURL),
                .proof("scheme-missing-slashes"),
            ],
            instead: "Write the scheme, `//`, the host and the path: `cs://www.example.com/x.js`.",
            detection: "The text after the scheme is checked for exactly two slashes and a host."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓customscheme:/x.js\"></script>", others: ["x.js": ""]),
            .bad("index.html", "<img src=\"↓customscheme:x.png\">", others: ["x.png": ""]),
            .bad("index.html", "<img src=\"↓customscheme:///x.png\">", others: ["x.png": ""]),
            .good(
                "index.html", "<img src=\"customscheme://www.example.com/x.png\">",
                others: ["x.png": ""]),
        ],
        document: faults { fault, reference, _ in
            guard case .missingSlashes(let meant) = fault else { return nil }
            return FaultReport(message: "'\(reference.text)' has no host", meant: meant)
        })
}
