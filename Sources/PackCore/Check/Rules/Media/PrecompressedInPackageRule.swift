extension Rule {
    /// `.gz` and `.br` copies of files.
    static let precompressedInPackage = Rule(
        "precompressed-in-package", "a compressed copy that no handler uses", group: .media,
        level: .always(.warning),
        explanation: .init(
            what: "Finds `app.js.gz` and `app.js.br` beside, or instead of, `app.js`.",
            why: """
                A web server sends such copies with Content-Encoding. The app's handler has no such \
                header: nobody reads the copy, and a page that names it gets compressed bytes. In the \
                package, which is compressed itself, it is dead weight.
                """,
            source: "proved in WebKitGTK (Tests/Rigs/WebKit/cases/precompressed-in-package)",
            instead: "Switch the compression plugin off for this build, or delete the copies.",
            detection: "Endings gz, br and zst after an ending of text, fonts or WebAssembly."),
        examples: [
            .bad("app.js.gz", "x", others: ["app.js": ""]),
            .bad("app.css.br", "x"),
            .good("archive.tar.gz", "x"),
            .good("data.gz", "x"),
        ],
        site: { context, sink in
            let inner: Set<String> = ContentSignature.text.union([
                "txt", "xml", "wasm", "ttf", "otf", "ico",
            ])
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                guard ["gz", "br", "zst"].contains(ending),
                    let base = try? AssetPath(
                        Array(file.path.bytes.dropLast(ending.utf8.count + 1))),
                    inner.contains(base.fileEnding)
                else { continue }
                sink.report(file: index, "no handler sends Content-Encoding, so nobody can read it")
            }
        })
}
