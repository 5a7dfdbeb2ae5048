import PackWeb

extension Rule {
    /// The origin of a URL object.
    static let jsURLOrigin = Rule(
        "js-url-origin", group: .script, level: .customPages(.warning),
        document: { document, sink in
            sink.reportFirst(
                document.facts(.urlOrigin),
                harmless: { $0.isHarmless || $0.fact.detail != "compared" }
            ) { _ in
                "new URL(…).origin is 'null' for the custom scheme"
            }
        })
}
