import PackWeb

extension Rule {
    /// A window that may not open.
    static let jsWindowOpen = Rule(
        "js-window-open", group: .script, level: .always(.hint),
        document: { document, sink in
            sink.reportFirst(document.facts(.windowOpen)) { _ in
                "nothing opens unless the app implements it"
            }
        })
}
