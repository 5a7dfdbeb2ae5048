import PackGround
import PackWeb

extension Rule {
    /// Markup that browsers do not parse as written.
    static let htmlParseUnsafe = Rule(
        "html-parse-unsafe", group: .markup, level: .always(.warning),
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
