extension Rule {
    /// Speculation rules, which WebKit ignores.
    static let speculationrulesIgnored = Rule(
        "speculationrules-ignored", "speculation rules have no effect", group: .data,
        level: .always(.hint),
        explanation: .init(
            what: "Finds script elements of type `speculationrules`.",
            why: "WebKit ignores them, and other browsers cannot prerender custom-scheme pages.",
            sources: [.cite(.htmlStandard, "speculative loading"), .cite(.ruleStudy)],
            instead: "Leave them out of the packaged page.",
            detection: "The element's type is checked."),
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
