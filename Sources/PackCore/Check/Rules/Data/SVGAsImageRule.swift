import PackWeb

extension Rule {
    /// An SVG image that needs other files.
    static let svgAsImage = Rule(
        "svg-as-image", "an SVG file used as an image refers to other files", group: .data,
        level: .init("hint; error for a file without the namespace") { _ in .hint },
        explanation: .init(
            what: """
                Finds references inside SVG files that pages use as images, and such files whose \
                root has no namespace.
                """,
            why: """
                An SVG file used as an image loads nothing: its images, style sheets and fonts are \
                missing. As a file it is XML: without \
                `xmlns="http://www.w3.org/2000/svg"` it is no drawing.
                """,
            sources: [.cite(.svgIntegration, "secure static mode"), .proof("svg-as-image")],
            instead: "Embed the files as `data:` URLs. Keep the attribute `xmlns`.",
            detection: """
                Image references to an SVG file are combined with the references inside that file.
                """),
        examples: [
            .bad(
                "a.svg", "↓<svg viewBox=\"0 0 8 8\"></svg>", "an error: no namespace",
                others: ["index.html": "<img src=a.svg>"], silent: [.comment],
                except: [
                    .upperCaseTags, .string, .template, .noscript, .entities, .singleQuotes,
                ]),
            .bad(
                "a.svg",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"↓b.png\"/></svg>",
                others: ["b.png": "", "index.html": "<img src=a.svg>"], silent: [.comment],
                except: [.upperCaseTags, .string, .template, .noscript, .entities, .singleQuotes]),
            .good(
                "a.svg", "<svg><image href=\"b.png\"/></svg>",
                others: ["b.png": "", "index.html": "<object data=a.svg></object>"]),
        ],
        site: { context, sink in
            let images: Set<ReferenceKind> = [
                .html(.image), .html(.backgroundImage), .html(.icon), .css(.image), .css(.mask),
                .css(.cursor),
            ]
            var users: [Int: Int] = [:]
            for summary in context.summaries {
                for link in summary.links where images.contains(link.kind) {
                    guard context.site.files[link.target].kind == .svg, users[link.target] == nil
                    else {
                        continue
                    }
                    users[link.target] = summary.index
                }
            }
            for (file, user) in users.sorted(by: { $0.key < $1.key }) {
                if let root = try SVGRoot.withoutNamespace(file, in: context.site) {
                    sink.report(
                        file: file, at: root,
                        "without xmlns=\"http://www.w3.org/2000/svg\" this file is no image",
                        severity: .error)
                }
                for link in context.summaries[file].links
                where link.use.isFetched && link.target != file {
                    let page = printable(context.site.path(user).bytes)
                    sink.report(
                        file: file, at: link.range,
                        "used as an image in '\(page)', this SVG file loads no other file")
                }
            }
        })
}

private enum SVGRoot {
    /// The tag of the root that has no namespace.
    static func withoutNamespace(_ file: Int, in site: SiteIndex) throws -> Range<Int>? {
        let head = try site.source.head(of: site.path(file), count: 4096)
        let span = head.span
        var reader = HTMLReader(range: 0..<head.count)
        while let token = reader.next(in: span) {
            guard token.kind == .startTag else { continue }
            return token.name == "svg" && reader.attributes.first("xmlns", in: span) == nil
                ? token.range : nil
        }
        return nil
    }
}
