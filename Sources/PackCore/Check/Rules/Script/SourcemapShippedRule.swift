import PackWeb

extension Rule {
    /// A source map in the package.
    static let sourcemapShipped = Rule(
        "sourcemap-shipped", "a source map is in the package", group: .script,
        level: .always(.warning),
        explanation: .init(
            what: "Finds source maps among the files.",
            why: """
                Only developer tools read them: they make the package larger, often by more than \
                all else, and hold the sources for everybody to read.
                """,
            source: "rules section 7; ECMA-426",
            instead: "Leave *.map out of the package.",
            detection: "Files that end in .map."),
        examples: [
            .bad(
                "app.js.map",
                "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"let a\"],\"mappings\":\"\"}"
            ),
            .good("app.js", "x = 1"),
        ],
        document: { document, sink in
            guard document.kind == .sourceMap else { return }
            let content = SourceMapContent(of: document.bytes.span)
            let size = "\((document.bytes.count + 999) / 1000) kB"
            sink.report(
                at: nil,
                content.hasSources
                    ? "this source map (\(size)) holds the sources"
                    : "this source map takes \(size)")
        })
}
