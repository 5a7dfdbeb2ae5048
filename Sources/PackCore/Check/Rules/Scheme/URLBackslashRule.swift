extension Rule {
    /// A backslash that browsers repair only in https URLs.
    static let urlBackslash = Rule(
        "url-backslash", "a custom URL has a backslash", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds backslashes in the path of URLs that resolve to the custom scheme.",
            why: """
                Builds on Windows may write `src="\\static\\x.js"`. In an https page the browser \
                reads `\\` as `/`; under a custom scheme it is part of the file name, or the URL \
                is invalid.
                """,
            sources: [
                .cite(.urlStandard, "special schemes"), .cite(.nodeURL), .proof("url-backslash"),
            ],
            instead: "Write `/`.",
            detection: "The text of the URL is checked where it resolves to the custom scheme."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓\\static\\x.js\"></script>",
                others: ["static/x.js": ""]),
            .good(
                "index.html", "<script src=\"\\static\\x.js\"></script>",
                "browsers repair https URLs", others: ["static/x.js": ""],
                profile: Example.profile.with(pageOrigin: .https)),
            .good("index.html", "<img src=\"x.png?a=\\b\">", "a query", others: ["x.png": ""]),
        ],
        document: faults { fault, reference, _ in
            guard case .backslash(let meant) = fault else { return nil }
            return FaultReport(
                message: "the backslashes in '\(reference.text)' stay in this URL", meant: meant)
        })
}
