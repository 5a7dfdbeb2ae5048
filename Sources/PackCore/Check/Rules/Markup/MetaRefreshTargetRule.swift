extension Rule {
    /// A refresh to a page that is not in the package.
    static let metaRefreshTarget = Rule(
        "meta-refresh-target",
        """
        a meta refresh names a page that is not in the package
        """, group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds meta refresh to a page that is not in the package, and to plain http.",
            why: """
                A refresh is a navigation like any other: in the app it goes to the handler, which \
                has no such page; App Transport Security blocks plain http.
                """,
            sources: [
                .cite(.htmlStandard, "shared declarative refresh steps"), .cite(.s001, "problem 3"),
                .proof("meta-refresh-target"),
            ],
            instead: "Name a packaged page, or write the full https URL.",
            detection: "The URL is parsed as the standard says, then looked up."),
        examples: [
            .bad("index.html", "<meta http-equiv=\"refresh\" content=\"0; url=↓home.html\">"),
            .bad(
                "index.html",
                "<meta http-equiv=\"refresh\" content=\"0;URL='↓http://example.com/'\">",
                "a warning", except: [.singleQuotes]),
            .good(
                "index.html", "<meta http-equiv=\"refresh\" content=\"5; url=home.html\">",
                others: ["home.html": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .refresh {
                guard URLFault.of(reference, in: document.site) == nil else { continue }
                if reference.resolution.url?.scheme.elementsEqual("http".utf8) == true {
                    sink.report(
                        reference, "App Transport Security blocks plain http",
                        fix: SchemeSpelling.replacing(reference, with: "https").flatMap {
                            document.safeFix(reference, to: $0)
                        }, severity: .warning)
                } else if reference.resolution.isMiss, document.profile.hasCustomPages {
                    sink.report(
                        reference, "'\(reference.text)' is not in the package",
                        notes: document.site.hints(for: reference.resolution))
                }
            }
        })
}
