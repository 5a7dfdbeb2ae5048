import PackWeb

extension Rule {
    /// A test for absolute URLs that only accepts http.
    static let jsAbsoluteTest = Rule(
        "js-absolute-test", group: .script, level: .customPages(.hint),
        document: { document, sink in
            sink.reportFirst(document.facts(.absoluteTest)) { _ in
                "this test treats custom URLs as relative"
            }
        })
}
