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
                and prefixes are taken for declared in a file with a document type that declares any. \
                All files that do not begin with markup are one finding.
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
            .bad(
                "a.svg", "↓var _path; const Logo = () => h(\"svg\");", "a script of webpack's",
                others: ["b.svg": "var _path; const Mark = () => h(\"svg\");"], silent: [],
                except: Self.allVariants),
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
            // Webpack may write a module under the name of the image that it was made of.
            let isMarkup = document.bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
            sink.report(
                at: fault.offset..<(fault.offset + 1), fault.message,
                cause: isMarkup || document.bytes.first == 0xEF ? nil : "no markup")
        })

    private static let allVariants = Set(Example.Variant.allCases)
}
