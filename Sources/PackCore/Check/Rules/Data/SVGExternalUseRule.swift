import PackWeb

extension Rule {
    /// A part of an SVG file of another origin.
    static let svgExternalUse = Rule(
        "svg-external-use", "an SVG element uses a file of another origin", group: .data,
        level: .always(.warning),
        explanation: .init(
            what: "Finds use elements whose file has another origin than the page.",
            why: """
                External use needs the same origin, whatever headers the answer has: the symbol \
                stays invisible.
                """,
            source: "SVG 2, 5.5 (use, same-origin); rules section 6",
            instead: "Put the symbols into the page, or on the page's own host.",
            detection: "The origin of the resolved URL, by scheme, host and port."),
        examples: [
            .bad(
                "index.html",
                "<svg><use href=\"↓customscheme://cdn.example.com/s.svg?#i\"></use></svg>",
                others: ["s.svg": ""], except: [.upperCaseTags]),
            .good(
                "index.html", "<svg><use href=\"#i\"></use><use href=\"s.svg?#i\"></use></svg>",
                others: ["s.svg": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .svgUse {
                guard let url = reference.resolution.url, let page = document.url,
                    reference.resolution.reachesHandler
                        || reference.resolution.outcome == .otherOrigin,
                    !document.profile.isSameOrigin(url, page)
                else { continue }
                sink.report(reference, "'\(reference.text)' is of another origin than the page")
            }
        })
}
