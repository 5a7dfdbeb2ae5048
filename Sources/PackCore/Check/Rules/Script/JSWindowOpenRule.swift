import PackWeb

extension Rule {
    /// A window that nobody opens.
    static let jsWindowOpen = Rule(
        "js-window-open", "window.open does nothing unless the app opens windows", group: .script,
        level: .always(.info),
        explanation: .init(
            what: "Finds window.open, once for each file.",
            why: """
                A WKWebView opens no window by itself: without createWebViewWithConfiguration \
                nothing happens, and a new view has neither the cookies nor the handler of the \
                old one.
                """,
            source: "rules section 7; S002 (WKProcessPool)",
            instead: "Navigate in the same view, or use the app's bridge.",
            detection: "Calls of window.open."),
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
