import PackWeb

extension Rule {
    /// Cookies in a page that cannot have any.
    static let jsCookie = Rule(
        "js-cookie", "custom-scheme pages have no cookies", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: "Finds `document.cookie`, once for each file.",
            why: """
                A document whose URL is not http or https is cookie-averse: `document.cookie` is \
                always empty, and writes to it are ignored.
                """,
            sources: [
                .cite(.htmlStandard, "cookie-averse document"), .issue(.capacitor, 1373),
                .issue(.ionicWebView, 312), .proof("js-cookie"),
            ],
            instead: "Store the value in localStorage, or have the app pass it over a bridge.",
            detection: """
                Writing is a warning, unless in `try` or in the form of axios and js-cookie. \
                Reading is a hint: it gives an empty text, which is what pages without cookies \
                expect.
                """),
        examples: [
            .bad("app.js", "document.↓cookie = \"a=1\""),
            .bad("app.js", "x = document.↓cookie.match(/a=(.*)/)", "only a hint"),
            .good("app.js", "request.cookie = 1"),
        ],
        document: { document, sink in
            sink.reportFirst(
                document.facts(.cookie),
                harmless: { $0.isHarmless || $0.fact.detail == "read" }
            ) { _ in
                "document.cookie is always empty in a custom-scheme page"
            }
        })
}
