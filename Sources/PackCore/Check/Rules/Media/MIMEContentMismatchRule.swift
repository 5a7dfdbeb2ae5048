extension Rule {
    /// Files whose content does not match their extension.
    static let mimeContentMismatch = Rule(
        "mime-content-mismatch", group: .media,
        level: .init("error for pages saved as scripts, styles or data, else warning") { _ in
            .warning
        },
        site: { context, sink in
            for (index, summary) in context.summaries.enumerated() {
                let ending = context.site.path(index).fileEnding
                guard let signature = ContentSignature(summary.head) else { continue }
                let isText = ContentSignature.text.contains(ending)
                guard isText || ContentSignature.signed.contains(ending) else { continue }
                if let endings = signature.endings, endings.contains(ending) { continue }
                // XHTML and SVG may start with any valid XML.
                if signature == .html, ending == "svg" { continue }
                let isBroken = isText || signature == .html || signature == .pointer
                sink.report(
                    file: index,
                    """
                    the name ends in '.\(ending)', but the content is \(signature.rawValue)
                    """,
                    severity: isBroken
                        ? .error
                        : ContentSignature.isImage(ending) && signature.isImage ? .hint : nil,
                    cause: isBroken ? nil : "\(ending) \(signature.rawValue)")
            }
        })
}
