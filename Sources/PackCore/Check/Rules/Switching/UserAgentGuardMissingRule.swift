extension Rule {
    /// Custom URLs in pages that browsers get too.
    static let userAgentGuardMissing = Rule(
        "ua-guard-missing", "browsers get custom URLs that nobody answers", group: .switching,
        level: .init("error where pages are dual") { $0.pageOrigin == .dual ? .error : nil },
        explanation: .init(
            what:
                "Finds custom-scheme URLs in the markup of pages that browsers and old apps get too.",
            why: """
                Where no handler is registered, in Safari, in a share sheet's preview, in an app before \
                iOS 11, such a URL loads nothing: no style, no script.
                """,
            source: "S003 note 3; proved in WebKitGTK (Tests/Rigs/WebKit/cases/ua-guard-missing)",
            instead: """
                Write relative URLs and let the page itself be loaded one way or the other, or let the \
                server send another page by the user agent ('packtool rewrite --dual').
                """,
            detection: """
                One finding a page: its first fetched reference that spells the custom scheme. What \
                scripts write is not judged.
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
                "only the app gets this page", others: ["a.png": ""]),
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
                    ? "a browser that gets this page cannot load '\(first.text)'"
                    : "a browser that gets this page cannot load '\(first.text)' and \(count - 1) more"
            )
        })
}
