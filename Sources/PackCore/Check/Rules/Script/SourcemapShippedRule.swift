import PackWeb

extension Rule {
    /// A source map in the package.
    static let sourcemapShipped = Rule(
        "sourcemap-shipped", group: .script, level: .always(.warning),
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
