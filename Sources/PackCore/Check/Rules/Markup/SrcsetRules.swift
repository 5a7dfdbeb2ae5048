import PackWeb

extension Rule {
    /// A list with some candidates from the package and others from the network.
    static let srcsetPartiallyRewritten = Rule(
        "srcset-partially-rewritten", group: .markup, level: .always(.error), fix: .safe,
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

    /// A candidate dropped by browsers.
    static let srcsetInvalid = Rule(
        "srcset-invalid", group: .markup, level: .always(.error),
        document: { document, sink in
            for reference in document.references where !reference.isEffective {
                guard reference.htmlKind != .base, SrcsetSiblings.isSrcset(reference, document)
                else {
                    continue
                }
                sink.report(reference, "browsers drop this candidate: its descriptor is invalid")
            }
        })

    /// A preload whose candidates were not rewritten with those of the image.
    static let imagesrcsetMissed = Rule(
        "imagesrcset-missed", group: .markup, level: .always(.warning), fix: .safe,
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
