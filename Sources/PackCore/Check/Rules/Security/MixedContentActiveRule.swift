import PackProfile

extension Rule {
    /// Scripts, styles, fonts and frames with custom URLs in an https page.
    static let mixedContentActive = Rule(
        "mixed-content-active", group: .security, level: .securePages(.error),
        document: { document, sink in
            for reference in document.references
            where SecurityModel.spellsCustomScheme(reference, document.profile)
                && SecurityModel.isActive(reference)
            {
                sink.report(
                    reference,
                    """
                    an https page cannot load '\(reference.text)': WebKit blocks it as mixed \
                    content
                    """
                )
            }
        })
}
