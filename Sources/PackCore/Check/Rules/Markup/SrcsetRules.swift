import PackWeb

// Three rules about one thing: lists of image candidates.

extension Rule {
    /// Some candidates of a list come from the package, others from the network.
    static let srcsetPartiallyRewritten = Rule(
        "srcset-partially-rewritten", "only some candidates of srcset come from the package",
        group: .markup, level: .always(.error), fix: .safe,
        explanation: .init(
            what:
                "Finds srcset and imagesrcset in which some candidates find the package and others not.",
            why: """
                Which candidate is taken depends on the screen: the picture is there on the tester's \
                phone and missing on one with another density.
                """,
            source: "HTML standard, parse a srcset attribute; rules section 4",
            instead: "Rewrite every candidate, or none.",
            detection: "Candidates are told apart by the standard's algorithm, not at commas."),
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
                    "this candidate asks the network, others of the list come from the package")
            }
        })

    /// A candidate that browsers drop.
    static let srcsetInvalid = Rule(
        "srcset-invalid", "a candidate of srcset that browsers drop", group: .markup,
        level: .always(.error),
        explanation: .init(
            what: "Finds candidates with two densities, an unknown descriptor, or a bad number.",
            why: "The browser drops such a candidate without a word; that image is never shown.",
            source: "HTML standard, parse a srcset attribute, step 14",
            instead: "One descriptor for a candidate: '2x' or '640w'.",
            detection: "The standard's algorithm."),
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
                sink.report(reference, "browsers drop this candidate: its descriptor is wrong")
            }
        })

    /// A preload whose candidates were not rewritten along with the image's.
    static let imagesrcsetMissed = Rule(
        "imagesrcset-missed", "a preload names other URLs than the image", group: .markup,
        level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds candidates of imagesrcset that ask the network for packaged files.",
            why:
                "The preload fetches a picture that the page then takes from the package: twice the work.",
            source: "HTML standard, link type preload; rules section 4",
            instead: "Use the same URLs as the img.",
            detection: "Candidates of imagesrcset whose https URL is that of a packaged file."),
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
                    "the preload asks the network for a file of the package")
            }
        })
}
