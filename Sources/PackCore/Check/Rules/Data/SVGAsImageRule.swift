extension Rule {
    /// An SVG image that needs other files.
    static let svgAsImage = Rule(
        "svg-as-image", "an SVG file used as an image refers to other files", group: .data,
        level: .always(.hint),
        explanation: .init(
            what: "Finds references inside SVG files that pages use as images.",
            why: """
                An SVG file used as an image loads nothing: its images, style sheets and fonts are \
                missing.
                """,
            sources: [.cite(.svgIntegration, "secure static mode"), .proof("svg-as-image")],
            instead: "Embed them as `data:` URLs.",
            detection: """
                Image references to an SVG file are combined with the references inside that file.
                """),
        examples: [
            .bad(
                "a.svg", "<svg><image href=\"↓b.png\"/></svg>",
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
