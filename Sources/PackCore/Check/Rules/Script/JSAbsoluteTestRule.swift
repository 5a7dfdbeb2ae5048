extension Rule {
    /// A test for absolute URLs that only accepts http.
    static let jsAbsoluteTest = Rule(
        "js-absolute-test", "a test for absolute URLs rejects the custom scheme",
        group: .script,
        level: .customPages(.hint),
        explanation: .init(
            what: "Finds regular expressions such as `/^https?:/.test(url)`.",
            why: """
                The test treats custom URLs as relative, so a base is prepended: \
                `customscheme://h/customscheme://h/x`.
                """,
            sources: [.cite(.ruleStudy), .proof("js-absolute-test")],
            instead: "Test for any scheme: `/^[a-z][a-z0-9+.-]*:/i`.",
            detection: """
                Regular expressions that start with `^http` and are followed by `.test` are \
                reported.
                """),
        examples: [
            .bad("app.js", "x = ↓/^https?:/.test(u)"),
            .good("app.js", "x = /^[a-z][a-z0-9+.-]*:/i.test(u)"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.absoluteTest)) { _ in
                "this test treats custom URLs as relative"
            }
        })
}
