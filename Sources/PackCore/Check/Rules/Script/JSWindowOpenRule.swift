extension Rule {
    /// A window that may not open.
    static let jsWindowOpen = Rule(
        "js-window-open", "window.open has no effect unless the app opens windows", group: .script,
        level: .always(.hint),
        explanation: .init(
            what: "Finds `window.open`, once for each file.",
            why: """
                A WKWebView opens no window by itself: nothing happens unless the app implements \
                createWebViewWithConfiguration, and a new view has neither the cookies nor the \
                handler of the old one.
                """,
            sources: [
                .cite(.s002, "WKProcessPool"), .cite(.appleDocs, "WKUIDelegate"),
                .proof("js-window-open"),
            ],
            instead: "Navigate in the same view, or use the app's bridge.",
            detection: "Calls of `window.open` are reported."),
        examples: [
            .bad("app.js", "window.open(\"↓https://example.org\")"),
            .good("app.js", "db.open(\"x\"); location.href = \"https://example.org\""),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.windowOpen)) { _ in
                "nothing opens unless the app implements it"
            }
        })
}
