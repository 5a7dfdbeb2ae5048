import PackProfile
import PackWeb

extension Rule {
    /// CORS requests to another host of the custom scheme, answered by the handler without a CORS
    /// header.
    static let crossoriginNoCORS = Rule(
        "crossorigin-no-cors", group: .security,
        level: .init(
            """
            error if the handler sends no CORS headers and pages are loaded over the custom \
            scheme
            """
        ) {
            $0.hasCustomPages && !$0.client.sendsCORS ? .error : nil
        }, fix: .unsafe,
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched
                && SecurityModel.isOtherCustomOrigin(reference, in: document)
            {
                guard let element = document.element(of: reference) else { continue }
                let attribute = document.attribute("crossorigin", of: element)
                let isAlways =
                    reference.htmlKind == .moduleScript || reference.htmlKind == .modulePreload
                    || reference.htmlKind == .fontPreload
                guard isAlways || attribute != nil else { continue }
                let hasIntegrity = document.has("integrity", element)
                let fix =
                    isAlways || hasIntegrity
                    ? nil : attribute.map { document.removal($0, .unsafe) }
                sink.report(
                    reference,
                    "'\(reference.text)' has another web origin, and the handler sends no "
                        + "Access-Control-Allow-Origin",
                    fix: fix)
            }
        })
}
