import PackWeb

extension Rule {
    /// A script that is written into the page.
    static let jsDocumentWriteScript = Rule(
        "js-document-write-script", "document.write adds a script", group: .script,
        level: .init("warning where the URL has no scheme of its own, else hint") { _ in .warning },
        explanation: .init(
            what: "Finds `document.write` with a script element.",
            why: """
                Tools that rewrite pages do not see the URL in it. Without a scheme it inherits \
                the page's, and WebKit may block such scripts on slow networks.
                """,
            sources: [
                .cite(.htmlStandard, "document.write()"), .cite(.ruleStudy),
                .proof("js-document-write-script"),
            ],
            instead: "Create the element and append it.",
            detection: "The literal in the call contains `<script`."),
        examples: [
            .bad(
                "app.js", "document.write(\"↓<script src=//x.example.org/a.js></\" + \"script>\")"),
            .bad(
                "app.js", "document.write('↓<script src=\"a.js\"></' + 'script>')", "only a hint",
                others: ["a.js": "a()"]),
            .good("app.js", "document.write(\"<p>a\")"),
        ],
        document: { document, sink in
            for fact in document.facts(.documentWrite)
            where !fact.isHarmless && fact.text.lowercased().contains("<script") {
                sink.report(
                    at: fact.range, "this writes a script element",
                    severity: inheritsScheme(fact.text) ? nil : .hint, cause: "script")
            }
        })
}

/// Whether markup contains a URL that starts with `//`.
private func inheritsScheme(_ markup: String) -> Bool {
    ["=//", "=\"//", "='//", "=\\\"//", "=\\'//"].contains { markup.contains($0) }
}
