extension Rule {
    /// A `use` element that refers to another web origin.
    static let svgExternalUse = Rule(
        "svg-external-use", "an SVG use element refers to another web origin", group: .data,
        level: .always(.warning),
        explanation: .init(
            what: "Finds `use` elements whose file has another web origin than the page.",
            why: """
                An external `use` must be same-origin whatever headers the response has; otherwise \
                the symbol is invisible.
                """,
            sources: [.cite(.svg2, "5.5, the use element"), .proof("svg-external-use")],
            instead: "Inline the symbols, or serve the file from the page's own host.",
            detection: """
                Scheme, host and port of the resolved URL are compared with those of the page.
                """),
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
                sink.report(reference, "'\(reference.text)' has another web origin than the page")
            }
        })
}
