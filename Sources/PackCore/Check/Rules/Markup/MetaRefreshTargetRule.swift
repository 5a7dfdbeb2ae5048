import PackWeb

extension Rule {
    /// A page that sends its reader somewhere that is not there.
    static let metaRefreshTarget = Rule(
        "meta-refresh-target", "a page refreshes to a page that is not there", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds meta refresh to a page that is not in the package, and to plain http.",
            why: """
                The refresh is a navigation like any other: in the app it ends at the handler, which has \
                no such page; plain http is blocked by App Transport Security.
                """,
            source: "HTML standard, shared declarative refresh steps; S001 problem 3",
            instead: "Name a packaged page, or an https URL in full.",
            detection: "The URL is read by the standard's steps, then looked up."),
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
