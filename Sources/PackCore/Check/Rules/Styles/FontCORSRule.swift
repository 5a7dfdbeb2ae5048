import PackWeb

extension Rule {
    /// A font from another origin of the package.
    static let fontCORS = Rule(
        "font-cors", "a font comes from another origin, and the handler sends no CORS header",
        group: .styles,
        level: .init("error where the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .error
        },
        explanation: .init(
            what: "Finds fonts whose custom URL has another host than the page.",
            why: """
                Fonts are always fetched with CORS. Without the header the browser drops them without \
                a word, and the page is shown in another font.
                """,
            source: "CSS Fonts 4; readium/swift-toolkit 845",
            instead: "Serve fonts from the host of the page, or let the handler send the header.",
            detection: "Scheme, host and port of the font against those of the page."),
        examples: [
            .bad(
                "app.css", "@font-face { src: url(↓customscheme://cdn.example.com/f.woff2) }",
                others: ["f.woff2": ""],
                profile: Example.profile.with { $0.hosts.append("cdn.example.com") }),
            .good("app.css", "@font-face { src: url(f.woff2) }", others: ["f.woff2": ""]),
            .good(
                "app.css", "@font-face { src: url(customscheme://cdn.example.com/f.woff2) }",
                "the handler sends the header", others: ["f.woff2": ""],
                profile: .pathStrict.with { $0.hosts = ["www.example.com", "cdn.example.com"] }),
        ],
        document: { document, sink in
            guard let page = CrossOrigin.page(document) else { return }
            for reference in document.references {
                guard reference.cssRole == .fontSource || reference.htmlKind == .fontPreload,
                    CrossOrigin.isOtherHost(reference, page, document)
                else { continue }
                sink.report(
                    reference,
                    "the page's host is '\(document.profile.pageHost)': the font is dropped")
            }
        })

    /// Masks and shapes from another origin of the package.
    static let cssCORSImages = Rule(
        "css-cors-images", "a mask or filter comes from another origin without CORS",
        group: .styles,
        level: .init("warning where the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .warning
        },
        explanation: .init(
            what:
                "Finds mask-image, shape-outside, filter and clip-path with another host's custom URL.",
            why:
                "These are fetched with CORS, unlike other images; without the header they have no effect.",
            source: "CSS Masking 1, CSS Shapes 1 (potentially CORS-enabled fetch)",
            instead: "Serve them from the host of the page.",
            detection: "Scheme, host and port of the URL against those of the page."),
        examples: [
            .bad(
                "app.css", "a { mask-image: url(↓customscheme://cdn.example.com/m.svg) }",
                others: ["m.svg": ""],
                profile: Example.profile.with { $0.hosts.append("cdn.example.com") }),
            .good("app.css", "a { mask-image: url(m.svg) }", others: ["m.svg": ""]),
        ],
        document: { document, sink in
            guard let page = CrossOrigin.page(document) else { return }
            for reference in document.references {
                guard reference.cssRole == .mask || reference.cssRole == .svgResource,
                    CrossOrigin.isOtherHost(reference, page, document)
                else { continue }
                sink.report(reference, "fetched with CORS from another host than the page's")
            }
        })
}

private enum CrossOrigin {
    /// The URL of the page that a document belongs to.
    static func page(_ document: DocumentContext) -> URLRecord? {
        guard document.profile.hasCustomPages else { return nil }
        if document.kind == .html { return document.url }
        return (try? AssetPath(document.profile.launch)).flatMap { document.profile.url(of: $0) }
    }

    static func isOtherHost(
        _ reference: Reference, _ page: URLRecord, _ document: DocumentContext
    ) -> Bool {
        guard reference.isEffective, let url = reference.resolution.url,
            url.scheme == document.profile.canonicalScheme,
            URLFault.of(reference, in: document.site) == nil
        else { return false }
        return !document.profile.isSameOrigin(url, page)
    }
}
