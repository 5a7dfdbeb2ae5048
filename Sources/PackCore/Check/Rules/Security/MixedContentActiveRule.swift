import PackProfile

extension Rule {
    /// Scripts, styles, fonts and frames with custom URLs in an https page.
    static let mixedContentActive = Rule(
        "mixed-content-active", group: .security, level: .mixedContent(.error),
        document: { document, sink in
            for reference in document.references
            where SecurityModel.isMixed(reference, in: document)
                && (SecurityModel.isActive(reference)
                    || document.profile.isIntercepted && SecurityModel.isFrameOrCode(reference))
            {
                sink.report(
                    reference,
                    """
                    an https page cannot load '\(reference.text)': browsers block it as mixed \
                    content
                    """
                )
            }
            guard document.profile.isIntercepted else { return }
            for fact in document.plainHTTPRequests {
                sink.report(
                    at: fact.range,
                    "browsers block requests to '\(fact.address)' by an https page",
                    severity: fact.isHarmless ? .hint : .warning, cause: fact.address)
            }
        })
}

extension Rule.Level {
    /// Applies only to pages loaded over https.
    static func mixedContent(_ severity: Severity) -> Self {
        Self("\(severity.rawValue) if pages are loaded over https") {
            $0.hasSecurePages || $0.canonicalScheme.elementsEqual("https".utf8) ? severity : nil
        }
    }
}
