import PackWeb

extension Rule {
    /// A comment that names a source map.
    static let sourcemapComment = Rule(
        "sourcemap-comment", "a comment names a source map that is not there", group: .script,
        level: .always(.info), fix: .safe,
        explanation: .init(
            what: """
                Finds //# sourceMappingURL=… in scripts whose map is not in the package.
                """,
            why: "Web Inspector asks the handler for it, and the log fills with misses.",
            source: "cordova-plugin-ionic-webview 541; ECMA-426",
            instead: "Build without the comment.",
            detection: "The last comment of the form; data: URLs are fine."),
        examples: [
            .bad("app.js", "x = 1\n//# sourceMappingURL=↓app.js.map"),
            .good("app.js", "x = 1\n//# sourceMappingURL=app.js.map", others: ["app.js.map": "{}"]),
        ],
        document: { document, sink in
            for reference in document.scriptReferences(.sourceMap) where reference.resolution.isMiss
            {
                sink.report(
                    reference, "'\(reference.text)' is not in the package",
                    fix: Fix(
                        .safe, "take the address away",
                        edits: [ByteEdit(reference.range, Array("data:,".utf8))]))
            }
        })
}
