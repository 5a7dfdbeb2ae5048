import PackWeb

extension Rule {
    /// A URL that names a directory.
    static let directoryURL = Rule(
        "directory-url", "a URL names a directory, and the handler knows files only",
        group: .lookup,
        level: .init("error where the handler has no index files") {
            $0.client.indexFile == .none ? .error : .warning
        }, fix: .safe,
        explanation: .init(
            what: "Finds custom URLs that end in '/', in links and sub-resources.",
            why: """
                A server answers 'dir/' with 'dir/index.html'; a handler does not. That of the seed \
                reads its own directory and answers with nothing, not even the fallback.
                """,
            source:
                "S003 (empty last component); Capacitor Router.swift and CDVURLSchemeHandler map paths without extension to the start page",
            instead: "Write 'dir/index.html'.",
            detection: "The look-up fails and the path ends in a slash."),
        examples: [
            .bad(
                "index.html", "<a href=\"↓docs/\">docs</a>", others: ["docs/index.html": ""]),
            .bad("index.html", "<iframe src=\"↓customscheme://www.example.com/\"></iframe>"),
            .good(
                "index.html", "<a href=\"docs/index.html\">docs</a>",
                others: ["docs/index.html": ""]),
            .good(
                "app.js", "var base = new URL('../', import.meta.url)", "where others count from"),
            .good(
                "index.html", "<a href=\"/\">home</a>", "Capacitor opens the start page",
                profile: .capacitor),
        ],
        document: misses { cause, reference, document in
            // In scripts a directory is where other URLs count from: new URL("../", import.meta.url).
            if case .script = reference.kind { return nil }
            guard cause == .directory, let url = reference.resolution.url else { return nil }
            var meant: String?
            let path = PercentEncoding.decode(document.profile.packagePath(of: url) ?? [])
            if let index = document.site.listing.index(of: path + Array("index.html".utf8)) {
                meant = ReferenceAddress.of(
                    document.site.path(index), insteadOf: reference, in: document.site)
            }
            return FaultReport(
                message: "'\(reference.text)' names a directory", meant: meant)
        })
}
