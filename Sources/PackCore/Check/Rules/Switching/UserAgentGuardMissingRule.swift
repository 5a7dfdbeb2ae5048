extension Rule {
    /// Custom URLs in pages that browsers load too.
    static let userAgentGuardMissing = Rule(
        "ua-guard-missing", "browsers get custom URLs that they cannot load", group: .switching,
        level: .init("error where pages are dual") { $0.pageOrigin == .dual ? .error : nil },
        explanation: .init(
            what:
                "Finds custom URLs in the markup of pages that browsers and old apps load too.",
            why: """
                Where no handler is registered (Safari, the preview of a share sheet, an app \
                before iOS 11) such a URL loads nothing: no style, no script.
                """,
            sources: [.cite(.s003, "note 3"), .proof("ua-guard-missing")],
            instead: """
                Write relative URLs and load the page itself over either scheme, or have the \
                server choose the page by user agent (`packtool rewrite --dual`).
                """,
            detection: """
                Each page has at most one finding: its first loaded reference that spells the \
                custom scheme. URLs that scripts write are not checked.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <img src="↓customscheme://www.example.com/a.png"><img src="customscheme://www.example.com/b.png">
                """, others: ["a.png": "", "b.png": ""],
                profile: Example.profile.with(pageOrigin: .dual)),
            .good(
                "index.html", "<img src=\"a.png\">", others: ["a.png": ""],
                profile: Example.profile.with(pageOrigin: .dual)),
            .good(
                "index.html", "<img src=\"customscheme://www.example.com/a.png\">",
                "only the app loads this page", others: ["a.png": ""]),
        ],
        document: { document, sink in
            guard document.kind == .html,
                let first = document.references.first(where: {
                    SecurityModel.spellsCustomScheme($0, document.profile)
                })
            else { return }
            let count = document.references.count {
                SecurityModel.spellsCustomScheme($0, document.profile)
            }
            sink.report(
                first,
                count == 1
                    ? "a browser that loads this page cannot load '\(first.text)'"
                    : """
                    a browser that loads this page cannot load '\(first.text)' and \
                    \(count - 1) more
                    """
            )
        })
}
