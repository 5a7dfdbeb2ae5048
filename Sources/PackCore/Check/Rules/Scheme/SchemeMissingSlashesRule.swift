extension Rule {
    /// A custom URL without a host.
    static let schemeMissingSlashes = Rule(
        "scheme-missing-slashes", "a custom URL without '//' and host", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds 'cs:/x.js', 'cs:x.js' and 'cs:///x.js'.",
            why: """
                A browser repairs 'https:/x'; it does not repair custom schemes. Such a URL has no host: \
                it is another origin, its URL for the network is invalid, and the handler of the seed \
                looks for 'cs:x.js'.
                """,
            source: "URL standard, scheme state (non-special schemes)",
            instead: "Write scheme, '//', host and path: 'cs://www.example.com/x.js'.",
            detection: "What follows the scheme in the text of the URL."),
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
