import PackProfile
import PackWeb

extension Rule {
    /// CORS requests to another host of the app, answered by the handler without a CORS header.
    static let crossoriginNoCORS = Rule(
        "crossorigin-no-cors", group: .security,
        level: .init(
            """
            error if the handler answers the requests for pages and sends no CORS headers
            """
        ) {
            $0.hasPackagedPages && !$0.client.sendsCORS ? .error : nil
        }, fix: .unsafe,
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched
                && SecurityModel.isOtherPackagedOrigin(reference, in: document)
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
            for reference in document.references
            where CrossoriginNoCORS.isRequest(reference)
                && SecurityModel.isOtherPackagedOrigin(reference, in: document)
            {
                sink.report(
                    reference,
                    "'\(reference.text)' has another web origin, and the handler sends no "
                        + "Access-Control-Allow-Origin",
                    severity: reference.traits.contains(.guarded) ? .hint : nil)
            }
        })
}

private enum CrossoriginNoCORS {
    /// Whether a script loads a URL with CORS.
    static func isRequest(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .script(let kind):
            switch kind {
            case .fetch, .request, .ajax, .eventSource, .staticImport, .dynamicImport: true
            default: false
            }
        default: false
        }
    }
}
