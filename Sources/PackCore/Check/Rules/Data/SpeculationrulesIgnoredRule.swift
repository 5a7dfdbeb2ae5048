import PackWeb

extension Rule {
    /// Speculation rules, which WebKit ignores.
    static let speculationrulesIgnored = Rule(
        "speculationrules-ignored", group: .data, level: .always(.hint),
        document: { document, sink in
            for fragment in document.html?.fragments ?? [] where fragment.kind == .speculationRules
            {
                sink.report(at: fragment.range, "web views ignore speculation rules")
            }
        })
}
