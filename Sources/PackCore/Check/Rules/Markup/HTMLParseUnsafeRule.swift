import PackWeb

extension Rule {
    /// Markup that a browser reads otherwise than it looks.
    static let htmlParseUnsafe = Rule(
        "html-parse-unsafe", "markup around a URL is read otherwise than it looks", group: .markup,
        level: .always(.warning),
        explanation: .init(
            what: """
                Finds a second attribute of the same name on elements with URLs, quotes and '<' in \
                attribute names, missing white space between attributes, and a tag that never ends.
                """,
            why: """
                The first of two attributes counts: rewriting the second changes nothing. A quote that \
                is not closed swallows the elements behind it, their URLs too.
                """,
            source: "HTML standard, tokenization parse errors",
            instead: "Mend the markup.",
            detection: "The parse errors of the standard's tokenizer."),
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
                    let name = String(decoding: document.bytes[attribute.name], as: UTF8.self)
                    sink.report(
                        at: attribute.range,
                        "the element has '\(printable(name.lowercased().utf8))' already: this one does not count",
                        severity: element.isInNoscript ? .info : nil)
                }
            }
            for error in html.errors {
                let message: String
                switch error.code {
                case .eofInTag: message = "this tag never ends"
                case .unexpectedCharacterInAttributeName:
                    message =
                        "a quote or '<' in the name of an attribute: is a quote missing before it?"
                case .missingWhitespaceBetweenAttributes:
                    message = "white space is missing between two attributes"
                default: continue
                }
                sink.report(at: error.offset..<(error.offset + 1), message)
            }
        })
}
