import PackWeb

extension Rule {
    /// A test for absolute URLs that knows http only.
    static let jsAbsoluteTest = Rule(
        "js-absolute-test", "a test for absolute URLs does not know the custom scheme",
        group: .script,
        level: .customPages(.info),
        explanation: .init(
            what: "Finds regular expressions such as /^https?:/.test(url).",
            why: """
                Custom URLs count as relative there, so a base is put before them: \
                customscheme://h/customscheme://h/x.
                """,
            source: "rules section 7",
            instead: "Test for any scheme: /^[a-z][a-z0-9+.-]*:/i.",
            detection: "Regular expressions that start with ^http and are followed by .test."),
        examples: [
            .bad("app.js", "x = ↓/^https?:/.test(u)"),
            .good("app.js", "x = /^[a-z][a-z0-9+.-]*:/i.test(u)"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.absoluteTest)) { _ in
                "URLs of the custom scheme count as relative here"
            }
        })
}
