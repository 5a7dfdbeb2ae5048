import PackWeb

extension Rule {
    /// Cookies in a page without cookie storage.
    static let jsCookie = Rule(
        "js-cookie", group: .script, level: .customPages(.warning),
        document: { document, sink in
            sink.reportFirst(
                document.facts(.cookie),
                harmless: { $0.isHarmless || $0.fact.detail == "read" }
            ) { _ in
                "document.cookie is always empty in a custom-scheme page"
            }
        })
}
