import PackProfile

extension Rule {
    /// Images and media with custom URLs in an https page.
    static let mixedContentPassive = Rule(
        "mixed-content-passive", group: .security, level: .securePages(.warning),
        document: { document, sink in
            for reference in document.references
            where SecurityModel.spellsCustomScheme(reference, document.profile)
                && SecurityModel.isPassive(reference)
            {
                sink.report(
                    reference,
                    "whether an https page shows '\(reference.text)' depends on the iOS release")
            }
        })
}
