extension Rule {
    /// A namespace that was rewritten.
    static let namespaceInScript = Rule(
        "namespace-in-script", "the namespace of an element was rewritten", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds createElementNS and setAttributeNS whose namespace is one of the W3C's \
                with another scheme.
                """,
            why: """
                A namespace is a name, no address: with customscheme:// before www.w3.org no \
                browser knows it, and the elements stay invisible.
                """,
            source: "rules section 4 (namespace-rewritten); DOM 4.5.2",
            instead: "Write http://www.w3.org/2000/svg.",
            detection: "The literal names www.w3.org and does not start with http://."),
        examples: [
            .bad(
                "app.js", "document.createElementNS(\"↓customscheme://www.w3.org/2000/svg\", \"a\")"
            ),
            .good("app.js", "document.createElementNS(\"http://www.w3.org/2000/svg\", \"a\")"),
        ],
        document: { document, sink in
            for fact in document.facts(.namespace) {
                guard fact.text.contains("//www.w3.org/"), !fact.text.hasPrefix("http://") else {
                    continue
                }
                sink.report(at: fact.range, "'\(fact.text)' is no namespace that a browser knows")
            }
        })
}
