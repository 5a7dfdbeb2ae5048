// Three rules about lists of image candidates.

extension Rule {
    /// A list with some candidates from the package and others from the network.
    static let srcsetPartiallyRewritten = Rule(
        "srcset-partially-rewritten", "only some srcset candidates come from the package",
        group: .markup, level: .always(.error), fix: .safe,
        explanation: .init(
            what:
                """
                Finds `srcset` and `imagesrcset` attributes in which only some candidates are \
                loaded from the package.
                """,
            why: """
                The screen decides which candidate is loaded: the image is there on the tester's \
                phone and missing on one with another density.
                """,
            sources: [
                .cite(.htmlStandard, "parse a srcset attribute"),
                .proof("srcset-partially-rewritten"),
            ],
            instead: "Rewrite all candidates or none.",
            detection: "The list is split by the standard's algorithm, not at commas."),
        examples: [
            .bad(
                "index.html",
                "<img srcset=\"customscheme://www.example.com/a.png 1x, ↓https://www.example.com/b.png 2x\">",
                others: ["a.png": "", "b.png": ""]),
            .good(
                "index.html", "<img srcset=\"a.png 1x, b,c.png 2x\">",
                others: ["a.png": "", "b,c.png": ""]),
        ],
        document: { document, sink in
            let packaged = SrcsetSiblings.packaged(in: document)
            for reference in document.references
            where reference.htmlKind == .image && SrcsetSiblings.isSrcset(reference, document) {
                guard NotFromPackage.isBypass(reference, document),
                    SrcsetSiblings.isMixed(reference, document, packaged)
                else { continue }
                NotFromPackage.report(
                    reference, document, &sink,
                    """
                    this candidate is loaded from the network, others in the list from the \
                    package
                    """)
            }
        })

    /// A candidate that browsers drop.
    static let srcsetInvalid = Rule(
        "srcset-invalid", "browsers drop a srcset candidate", group: .markup,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds candidates with two densities, an unknown descriptor or an invalid number.
                """,
            why: "The browser silently drops such a candidate; the image is never shown.",
            sources: [.cite(.htmlStandard, "parse a srcset attribute"), .proof("srcset-invalid")],
            instead: "Write one descriptor for each candidate: `2x` or `640w`.",
            detection: "The standard's algorithm is applied."),
        examples: [
            .bad(
                "index.html", "<img srcset=\"↓a.png 1x 2x, b.png 2x\">",
                others: ["a.png": "", "b.png": ""]),
            .bad("index.html", "<img srcset=\"↓a.png 640px\">", others: ["a.png": ""]),
            .good(
                "index.html", "<img srcset=\"a.png 640w 480h, b.png\">",
                others: ["a.png": "", "b.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references where !reference.isEffective {
                guard reference.htmlKind != .base, SrcsetSiblings.isSrcset(reference, document)
                else {
                    continue
                }
                sink.report(reference, "browsers drop this candidate: its descriptor is invalid")
            }
        })

    /// A preload whose candidates were not rewritten with the image's.
    static let imagesrcsetMissed = Rule(
        "imagesrcset-missed", "a preload names other URLs than the image", group: .markup,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds `imagesrcset` candidates that load packaged files from the network.",
            why:
                "The preload downloads an image that the page then takes from the package.",
            sources: [.cite(.htmlStandard, "link type preload"), .proof("imagesrcset-missed")],
            instead: "Use the same URLs as in the `img`.",
            detection: """
                Candidates of `imagesrcset` whose https URL is that of a packaged file are \
                reported.
                """),
        examples: [
            .bad(
                "index.html",
                "<link rel=\"preload\" as=\"image\" imagesrcset=\"↓https://www.example.com/a.png 1x\"><img srcset=\"a.png 1x\">",
                others: ["a.png": ""]),
            .good(
                "index.html",
                "<link rel=\"preload\" as=\"image\" imagesrcset=\"a.png 1x\"><img srcset=\"a.png 1x\">",
                others: ["a.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.htmlKind == .imagePreload
                && SrcsetSiblings.isSrcset(reference, document)
            {
                guard NotFromPackage.isBypass(reference, document) else { continue }
                NotFromPackage.report(
                    reference, document, &sink,
                    "the preload loads a packaged file from the network")
            }
        })
}
