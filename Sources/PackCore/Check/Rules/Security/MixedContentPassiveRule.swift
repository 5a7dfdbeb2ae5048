import PackProfile

extension Rule {
    /// Images and media with custom URLs in an https page.
    static let mixedContentPassive = Rule(
        "mixed-content-passive", group: .security, level: .mixedContent(.warning),
        document: { document, sink in
            for reference in document.references
            where SecurityModel.isMixed(reference, in: document)
                && SecurityModel.isPassive(reference)
            {
                sink.report(
                    reference,
                    document.profile.isIntercepted
                        ? "an https page in a web view does not load '\(reference.text)', which is plain http"
                        : "whether an https page shows '\(reference.text)' depends on the iOS release"
                )
            }
        })
}
