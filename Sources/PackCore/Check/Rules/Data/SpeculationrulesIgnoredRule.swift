import PackWeb

extension Rule {
    /// Rules for prefetching that WebKit ignores.
    static let speculationrulesIgnored = Rule(
        "speculationrules-ignored", "speculation rules have no effect", group: .data,
        level: .always(.info),
        explanation: .init(
            what: "Finds script elements of type speculationrules.",
            why: """
                WebKit ignores them; elsewhere pages of a custom scheme cannot be prerendered.
                """,
            source: "rules section 6; HTML 7.6 (speculative loading)",
            instead: "Leave them out of the packaged page.",
            detection: "The type of the element."),
        examples: [
            .bad("index.html", "<script type=\"speculationrules\">↓{\"prefetch\":[]}</script>"),
            .good("index.html", "<script type=\"application/json\">{}</script>"),
        ],
        document: { document, sink in
            for fragment in document.html?.fragments ?? [] where fragment.kind == .speculationRules
            {
                sink.report(at: fragment.range, "web views ignore speculation rules")
            }
        })
}
