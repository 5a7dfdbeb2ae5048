import PackWeb

extension Rule {
    /// `url()` that a browser drops, or that search and replace would miss.
    static let cssEscape = Rule(
        "css-escape", "a URL in CSS is broken or written with escapes", group: .styles,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: """
                Finds `url()` whose content breaks the whole declaration (a space, a quote or a \
                parenthesis without quotes around the URL), and URLs written with CSS escapes.
                """,
            why: """
                A browser drops a declaration with a bad URL without a word: the background or the font \
                is simply not there. Escapes are legal, but tools that rewrite URLs by searching for \
                text miss them.
                """,
            source: "CSS Syntax 3, section 4.3.6 (consume a url token)",
            instead: "Write url(\"…\") with quotes.",
            detection: "The style sheet is tokenized by CSS Syntax 3."),
        examples: [
            .bad(
                "app.css", ".a { background: ↓url(img/a b.png) }",
                "the space makes it no URL at all"),
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
                guard CSSEscapeCheck.css(reference)?.hasEscapes == true,
                    reference.use == .subresource
                else { continue }
                sink.report(
                    reference, "the URL '\(reference.text)' is written with escapes",
                    severity: .info)
            }
        })
}

private enum CSSEscapeCheck {
    static func css(_ reference: Reference) -> CSSReference? {
        switch reference.holder {
        case .css(let css), .fragmentCSS(_, let css): css
        default: nil
        }
    }

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
