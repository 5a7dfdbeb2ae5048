import PackWeb

extension Rule {
    /// An SVG file that an XML parser refuses.
    static let svgNotWellFormed = Rule(
        "svg-not-well-formed", "an SVG file is not well-formed XML", group: .data,
        level: .always(.warning),
        explanation: .init(
            what: "Finds SVG files with a fault that ends the web view's XML parser.",
            why: """
                An SVG file is XML, not HTML: one unclosed tag, one `&nbsp;`, one `xlink:href` without \
                `xmlns:xlink`, and the picture is not shown at all. Inside a page the same markup works.
                """,
            sources: [.cite(.svg2, "well-formed XML")],
            instead: "Fix the place; what comes after it was not read.",
            detection: """
                Tags, attributes, quotes, entities and prefixes are checked as libxml does. Entities \
                and prefixes are taken for declared in a file with a document type that declares any.
                """),
        examples: [
            .bad(
                "a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g>↓</svg>",
                silent: [], except: Self.allVariants),
            .bad(
                "a.svg",
                "<svg xmlns=\"http://www.w3.org/2000/svg\">↓<use xlink:href=\"#a\"/></svg>",
                "the prefix is not declared", silent: [], except: Self.allVariants),
            .bad(
                "a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>a↓&nbsp;b</text></svg>",
                silent: [], except: Self.allVariants),
            .good(
                "a.svg",
                "<?xml version=\"1.0\"?><!-- a --><svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><use xlink:href=\"#a&amp;b\"/><![CDATA[<g>]]></svg>"
            ),
            .good("index.html", "<svg><g></svg>"),
        ],
        document: { document, sink in
            guard document.kind == .svg, let fault = XMLFault.first(in: document.bytes.span) else {
                return
            }
            sink.report(at: fault.offset..<(fault.offset + 1), fault.message)
        })

    private static let allVariants = Set(Example.Variant.allCases)
}
