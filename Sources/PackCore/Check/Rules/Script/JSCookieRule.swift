import PackWeb

extension Rule {
    /// Cookies in a page that has none.
    static let jsCookie = Rule(
        "js-cookie", "pages of the custom scheme have no cookies", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: "Finds document.cookie, once for each file.",
            why: """
                A document whose URL is not http or https is averse to cookies: document.cookie \
                stays empty, and what is written is dropped.
                """,
            source: """
                HTML 3.1.3 (cookie-averse document); ionic-team/capacitor 1373; cordova-plugin- \
                ionic-webview 312
                """,
            instead: "Keep it in localStorage, or let the app pass it over a bridge.",
            detection: "The member document.cookie."),
        examples: [
            .bad("app.js", "document.↓cookie = \"a=1\""),
            .good("app.js", "request.cookie = 1"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.cookie)) { _ in
                "document.cookie is always empty in a page of the custom scheme"
            }
        })
}
