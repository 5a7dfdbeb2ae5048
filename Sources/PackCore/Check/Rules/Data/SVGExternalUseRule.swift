import PackProfile
import PackWeb

extension Rule {
    /// A `use` element with a URL of another web origin.
    static let svgExternalUse = Rule(
        "svg-external-use", group: .data, level: .always(.warning),
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
