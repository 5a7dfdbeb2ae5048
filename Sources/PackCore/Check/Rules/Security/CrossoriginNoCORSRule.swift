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
            where SecurityModel.isOtherPackagedOrigin(reference, in: document) {
                let isOfScript = CrossoriginNoCORS.isScriptRequest(reference)
                guard isOfScript || CrossoriginNoCORS.isElementRequest(reference, document) else {
                    continue
                }
                sink.report(
                    reference,
                    "'\(reference.text)' has another web origin, and the handler sends no "
                        + "Access-Control-Allow-Origin",
                    fix: isOfScript ? nil : CrossoriginNoCORS.fix(reference, document),
                    severity: isOfScript && reference.traits.contains(.guarded) ? .hint : nil)
            }
        })
}

private enum CrossoriginNoCORS {
    /// Whether a script loads a URL with CORS.
    static func isScriptRequest(_ reference: Reference) -> Bool {
        switch reference.kind {
        case .script(let kind):
            switch kind {
            case .fetch, .request, .ajax, .eventSource, .staticImport, .dynamicImport: true
            default: false
            }
        default: false
        }
    }

    /// Whether an element loads a URL with CORS.
    static func isElementRequest(_ reference: Reference, _ document: DocumentContext) -> Bool {
        guard reference.use.isFetched, let element = document.element(of: reference) else {
            return false
        }
        return needsCORS(reference) || document.has("crossorigin", element)
    }

    /// Whether the element loads the URL with CORS even without its attribute.
    private static func needsCORS(_ reference: Reference) -> Bool {
        switch reference.htmlKind {
        case .moduleScript, .modulePreload, .fontPreload: true
        default: false
        }
    }

    /// The removal of the attribute, unless the element needs CORS anyway.
    static func fix(_ reference: Reference, _ document: DocumentContext) -> Fix? {
        guard !needsCORS(reference), let element = document.element(of: reference),
            !document.has("integrity", element)
        else { return nil }
        return document.attribute("crossorigin", of: element).map { document.removal($0, .unsafe) }
    }
}
