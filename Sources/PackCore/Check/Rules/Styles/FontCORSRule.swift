extension Rule {
    /// A packaged font from another web origin.
    static let fontCORS = Rule(
        "font-cors", "a font has another web origin, and the handler sends no CORS header",
        group: .styles,
        level: .init("error where the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .error
        },
        explanation: .init(
            what: "Finds fonts whose custom URL has another host than the page.",
            why: """
                Fonts are always fetched with CORS. Without the header the browser silently drops \
                them and shows the page in another font.
                """,
            sources: [
                .cite(.cssFonts, "font fetching"), .issue(.readium, 845), .proof("font-cors"),
            ],
            instead: "Serve fonts from the page's host, or have the handler send the header.",
            detection: "Scheme, host and port of the font are compared with those of the page."),
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
                    "the page's host is '\(document.profile.pageHost)', so browsers drop this font")
            }
        })

    /// Packaged masks and shapes from another web origin.
    static let cssCORSImages = Rule(
        "css-cors-images", "a mask or filter has another web origin and no CORS header",
        group: .styles,
        level: .init("warning where the handler sends no Access-Control-Allow-Origin") {
            $0.client.sendsCORS ? nil : .warning
        },
        explanation: .init(
            what:
                """
                Finds `mask-image`, `shape-outside`, `filter` and `clip-path` with a custom \
                URL of another host.
                """,
            why:
                """
                These are fetched with CORS, unlike other images; without the header they have \
                no effect.
                """,
            sources: [
                .cite(.cssMasking), .cite(.cssShapes, "potentially CORS-enabled fetch"),
                .proof("css-cors-images"),
            ],
            instead: "Serve them from the page's host.",
            detection: "Scheme, host and port of the URL are compared with those of the page."),
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
                sink.report(reference, "fetched with CORS, from another host than the page's")
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
