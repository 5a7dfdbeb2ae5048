import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A packaged font from another web origin.
    static let fontCORS = Rule(
        "font-cors", group: .styles,
        level: .init("error if the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .error
        },
        document: { document, sink in
            guard let page = CrossOrigin.page(document) else { return }
            for reference in document.references {
                guard reference.cssRole == .fontSource || reference.htmlKind == .fontPreload,
                    CrossOrigin.isOtherHost(reference, page, document)
                else { continue }
                sink.report(
                    reference,
                    "the page's host is '\(document.profile.pageHost)', so browsers drop this font")
            }
        })

    /// Packaged masks and shapes from another web origin.
    static let cssCORSImages = Rule(
        "css-cors-images", group: .styles,
        level: .init("warning if the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .warning
        },
        document: { document, sink in
            guard let page = CrossOrigin.page(document) else { return }
            for reference in document.references {
                guard reference.cssRole == .mask || reference.cssRole == .svgResource,
                    CrossOrigin.isOtherHost(reference, page, document)
                else { continue }
                sink.report(reference, "fetched with CORS, from another host than the page's")
            }
        })
}

private enum CrossOrigin {
    /// The URL of the page to which a document belongs.
    static func page(_ document: DocumentContext) -> URLRecord? {
        guard document.profile.hasPackagedPages else { return nil }
        if document.kind == .html { return document.url }
        return (try? AssetPath(document.profile.launch)).flatMap { document.profile.url(of: $0) }
    }

    static func isOtherHost(
        _ reference: Reference, _ page: URLRecord, _ document: DocumentContext
    ) -> Bool {
        guard reference.isEffective, let url = reference.resolution.url,
            document.profile.handles(url),
            reference.fault == nil
        else { return false }
        return !document.profile.isSameOrigin(url, page)
    }
}
