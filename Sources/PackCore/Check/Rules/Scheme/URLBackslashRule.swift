extension Rule {
    /// A backslash where only https repairs it.
    static let urlBackslash = Rule(
        "url-backslash", "a backslash in a URL of the package", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds backslashes in the path of URLs that resolve to the custom scheme.",
            why: """
                Builds on Windows write 'src="\\static\\x.js"'. Under https the browser reads '\\' as \
                '/'; under a custom scheme it is part of a file name, or no URL at all.
                """,
            source: "URL standard (special schemes only); tried in Node 20",
            instead: "Write '/'.",
            detection: "The text of the URL, where it resolves to the custom scheme."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓\\static\\x.js\"></script>",
                others: ["static/x.js": ""]),
            .good(
                "index.html", "<script src=\"\\static\\x.js\"></script>",
                "under https the browser repairs it", others: ["static/x.js": ""],
                profile: Example.profile.with(pageOrigin: .https)),
            .good("index.html", "<img src=\"x.png?a=\\b\">", "a query", others: ["x.png": ""]),
        ],
        document: faults { fault, reference, _ in
            guard case .backslash(let meant) = fault else { return nil }
            return FaultReport(
                message: "'\(reference.text)' keeps its backslashes here", meant: meant)
        })
}
