import PackProfile

extension Rule {
    /// Custom URLs in pages also loaded by browsers.
    static let userAgentGuardMissing = Rule(
        "ua-guard-missing", group: .switching,
        level: .init("error if pages are dual") { $0.pageOrigin == .dual ? .error : nil },
        document: { document, sink in
            guard document.kind == .html,
                let first = document.references.first(where: {
                    SecurityModel.isMixed($0, in: document)
                })
            else { return }
            let count = document.references.count {
                SecurityModel.isMixed($0, in: document)
            }
            sink.report(
                first,
                count == 1
                    ? "a browser that loads this page cannot load '\(first.text)'"
                    : """
                    a browser that loads this page cannot load '\(first.text)' and \
                    \(count - 1) more
                    """
            )
        })
}
