import PackWeb

extension Rule {
    /// A `url()` that browsers drop, or that search and replace would miss.
    static let cssEscape = Rule(
        "css-escape", "a URL in CSS is invalid or written with escapes", group: .styles,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: """
                Finds `url()` whose content invalidates the declaration (a space, a quote or a \
                parenthesis without quotes around the URL), and URLs written with CSS escapes.
                """,
            why: """
                A browser silently drops a declaration with an invalid URL: the background or the \
                font is missing. Escapes are legal, but tools that rewrite URLs by text search \
                miss them.
                """,
            sources: [
                .cite(.cssSyntax, "section 4.3.6, consume a url token"), .proof("css-escape"),
            ],
            instead: "Write `url(\"…\")` with quotes.",
            detection: "The style sheet is tokenized by CSS Syntax 3."),
        examples: [
            .bad(
                "app.css", ".a { background: ↓url(img/a b.png) }",
                "the space makes the URL invalid"),
            .bad(
                "app.css", ".a { background: url(↓customscheme\\:\\/\\/www.example.com/a.png) }",
                "escapes", others: ["a.png": ""]),
            .bad(
                "index.html", "<p style=\"background: ↓url(a'b.png)\">x</p>",
                except: [.singleQuotes, .entities]),
            .good("app.css", ".a { background: url(\"img/a b.png\") }"),
            .good("app.css", "@namespace url(http://www.w3.org/1999/xhtml); .a { content: 'a b' }"),
        ],
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
