import PackWeb

extension Rule {
    /// A `url()` dropped by browsers, or missed by search and replace.
    static let cssEscape = Rule(
        "css-escape", group: .styles, level: .always(.warning), fix: .safe,
        document: { document, sink in
            if let css = document.css {
                CSSEscapeCheck.report(css, document, &sink) { $0 }
            }
            for style in document.styles {
                CSSEscapeCheck.report(style.css, document, &sink) {
                    style.text.sourceRange(of: $0)
                }
            }
            for reference in document.references {
                guard document.css(of: reference)?.hasEscapes == true,
                    reference.use == .subresource
                else { continue }
                sink.report(
                    reference, "the URL '\(reference.text)' is written with escapes",
                    severity: .hint)
            }
        })
}

private enum CSSEscapeCheck {
    static func report(
        _ css: CSSReferences, _ document: DocumentContext, _ sink: inout FindingSink,
        _ range: (Range<Int>) -> Range<Int>
    ) {
        for problem in css.problems where problem.kind == .badURL {
            sink.report(
                at: range(problem.range),
                "browsers drop this declaration: the URL needs quotes")
        }
    }
}
