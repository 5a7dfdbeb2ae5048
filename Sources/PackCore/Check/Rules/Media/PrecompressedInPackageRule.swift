extension Rule {
    /// `.gz` and `.br` copies of files.
    static let precompressedInPackage = Rule(
        "precompressed-in-package",
        """
        the package contains a compressed copy that no handler uses
        """, group: .media,
        level: .always(.warning),
        explanation: .init(
            what: "Finds `app.js.gz` and `app.js.br`, with or without `app.js`.",
            why: """
                A web server sends such copies with Content-Encoding. The app's handler sends no \
                such header, so the copy is never used, and a page that names it receives \
                compressed bytes. In the package, which is compressed itself, the copy only costs \
                space.
                """,
            sources: [.proof("precompressed-in-package")],
            instead:
                "Turn the compression plugin off for this build, or exclude the copies (`exclude:`).",
            detection: """
                The extensions gz, br and zst are reported after an extension of text, fonts or \
                WebAssembly. All copies are one finding.
                """),
        examples: [
            .bad("app.js.gz", "x", others: ["app.js": ""]),
            .bad("app.css.br", "x"),
            .bad("app.css.br", "x", "one finding for all copies", others: ["app.css.gz": "x"]),
            .good("archive.tar.gz", "x"),
            .good("data.gz", "x"),
        ],
        site: { context, sink in
            let inner: Set<String> = ContentSignature.text.union([
                "txt", "xml", "wasm", "ttf", "otf", "ico",
            ])
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                guard SiteIndex.compressedEndings.contains(ending),
                    let base = try? AssetPath(
                        Array(file.path.bytes.dropLast(ending.utf8.count + 1))),
                    inner.contains(base.fileEnding)
                else { continue }
                sink.report(
                    file: index,
                    """
                    no handler sends Content-Encoding, so this copy cannot be used
                    """, cause: "copies",
                    // The only copy is not left out: a page may need what is in it.
                    setting: context.site.listing.index(of: base.bytes) == nil
                        ? nil
                        : SettingProposal(
                            "exclude", adding: ["**/*.\(base.fileEnding).\(ending)"]))
            }
        })
}
