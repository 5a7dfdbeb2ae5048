import PackWeb

extension Rule {
    /// A URL that names a directory.
    static let directoryURL = Rule(
        "directory-url", "a URL names a directory, but the handler only serves files",
        group: .lookup,
        level: .init("error where the handler has no index files") {
            $0.client.indexFile == .none ? .error : .warning
        }, fix: .safe,
        explanation: .init(
            what: "Finds custom URLs in links and subresources that end in `/`.",
            why: """
                A server answers `dir/` with `dir/index.html`; a handler does not. The seed003 \
                handler reads the directory as if it were a file and answers with an empty \
                response; it does not even use its fallback.
                """,
            sources: [
                .cite(.s003, "empty last component"), .cite(.capacitor, "Router.swift"),
                .cite(.cordovaIOS, "CDVURLSchemeHandler"), .proof("directory-url"),
            ],
            instead: """
                Write `dir/index.html`, or let the handler answer `dir/` with it and say so: \
                `profile.index-file: directory`.
                """,
            detection: "The lookup fails and the path ends in a slash."),
        examples: [
            .bad(
                "index.html", "<a href=\"↓docs/\">docs</a>", others: ["docs/index.html": ""]),
            .bad("index.html", "<iframe src=\"↓customscheme://www.example.com/\"></iframe>"),
            .good(
                "index.html", "<a href=\"docs/index.html\">docs</a>",
                others: ["docs/index.html": ""]),
            .good(
                "app.js", "var base = new URL('../', import.meta.url)", "a base for other URLs"),
            .good(
                "index.html", "<a href=\"/\">home</a>", "Capacitor opens the start page",
                profile: .capacitor),
        ],
        document: misses { cause, reference, document in
            // In scripts a directory is a base for other URLs: new URL("../", import.meta.url).
            if case .script = reference.kind { return nil }
            guard cause == .directory, let url = reference.resolution.url else { return nil }
            var meant: String?
            // One outside the package's root has no page there.
            let path = document.profile.packagePath(of: url).map { PercentEncoding.decode($0) }
            if let path,
                let index = document.site.listing.index(of: path + Array("index.html".utf8))
            {
                meant = ReferenceAddress.of(
                    document.site.path(index), insteadOf: reference, in: document.site)
            }
            return FaultReport(
                message: "'\(reference.text)' names a directory", meant: meant,
                cause: document.site.targetName(reference.resolution).map { "directory \($0)" },
                setting: meant.map { _ in SettingProposal("profile.index-file", "directory") })
        })
}
