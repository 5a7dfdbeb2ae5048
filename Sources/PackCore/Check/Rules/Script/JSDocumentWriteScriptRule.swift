import PackWeb

extension Rule {
    /// A script that is written into the page.
    static let jsDocumentWriteScript = Rule(
        "js-document-write-script", "document.write adds a script", group: .script,
        level: .always(.warning),
        explanation: .init(
            what: "Finds document.write with a script element.",
            why: """
                The URL in it is seen by no tool that rewrites pages; without a scheme it takes \
                the page's, and WebKit may block such scripts on slow networks.
                """,
            source: "rules section 7; HTML 8.4.3 (document.write)",
            instead: "Create the element and append it.",
            detection: """
                The literal of the call holds "<script".
                """),
        examples: [
            .bad(
                "app.js", "document.write(\"↓<script src=//x.example.org/a.js></\" + \"script>\")"),
            .good("app.js", "document.write(\"<p>a\")"),
        ],
        document: { document, sink in
            for fact in document.facts(.documentWrite)
            where fact.text.lowercased().contains("<script") {
                sink.report(at: fact.range, "this writes a script element")
            }
        })
}
