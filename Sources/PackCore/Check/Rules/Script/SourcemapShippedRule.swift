import PackWeb

extension Rule {
    /// A source map in the package.
    static let sourcemapShipped = Rule(
        "sourcemap-shipped", "a source map is in the package", group: .script,
        level: .always(.warning),
        explanation: .init(
            what: "Finds source maps among the packaged files.",
            why: """
                Only developer tools read them. They enlarge the package, often by more than \
                everything else together, and expose the sources.
                """,
            sources: [.cite(.ecma426), .cite(.ruleStudy)],
            instead: "Exclude the maps: `exclude: [\"**/*.map\"]`.",
            detection: "Files that end in `.map` are reported, all in one finding."),
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
                    ? "this source map contains the sources" : "a source map is packaged",
                notes: ["it has \(size)"], cause: content.hasSources ? "sources" : "map",
                setting: SettingProposal("exclude", adding: ["**/*.map"]))
        })
}
