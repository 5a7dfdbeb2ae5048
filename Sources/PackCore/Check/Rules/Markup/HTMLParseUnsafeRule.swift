import PackWeb

extension Rule {
    /// Markup that a browser parses differently from how it looks.
    static let htmlParseUnsafe = Rule(
        "html-parse-unsafe",
        """
        a browser parses the markup around a URL differently from how it looks
        """, group: .markup,
        level: .always(.warning),
        explanation: .init(
            what: """
                Finds duplicate attributes on elements with URLs, quotes and `<` in attribute \
                names, missing white space between attributes, and tags that never end.
                """,
            why: """
                The first of two attributes counts: rewriting the second changes nothing. A quote \
                that is not closed swallows the elements after it, including their URLs.
                """,
            sources: [
                .cite(.htmlStandard, "tokenization, parse errors"), .proof("html-parse-unsafe"),
            ],
            instead: "Fix the markup.",
            detection: "The parse errors of the standard's tokenizer are reported."),
        examples: [
            .bad(
                "index.html", "<img src=\"a.png\" ↓src=\"b.png\">",
                others: ["a.png": "", "b.png": ""]),
            .bad(
                "index.html", "<img src=\"a.png\"↓alt=\"x\">", others: ["a.png": ""],
                except: [.noscript]),
            .good("index.html", "<img src=\"a.png\" alt=\"x\">", others: ["a.png": ""]),
        ],
        document: { document, sink in
            guard let html = document.html else { return }
            for element in html.elements {
                for attribute in element.attributes where attribute.isDuplicate {
                    let name = String(
                        decoding: document.bytes[within: attribute.name], as: UTF8.self)
                    sink.report(
                        at: attribute.range,
                        """
                        duplicate attribute '\(printable(name.lowercased().utf8))'; browsers \
                        use the first one
                        """,
                        severity: element.isInNoscript ? .hint : nil)
                }
            }
            for error in html.errors {
                let message: String
                switch error.code {
                case .eofInTag: message = "this tag never ends"
                case .unexpectedCharacterInAttributeName:
                    message =
                        "an attribute name contains a quote or '<'; is a quote missing before it?"
                case .missingWhitespaceBetweenAttributes:
                    message = "missing white space between two attributes"
                default: continue
                }
                sink.report(at: error.offset..<(error.offset + 1), message)
            }
        })
}
