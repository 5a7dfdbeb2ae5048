import PackWeb

extension Rule {
    /// A file that a module refers to and that is not packaged.
    static let jsNewURL = Rule(
        "js-new-url", "a file that a module refers to is not in the package",
        group: .script,
        level: .always(.warning),
        explanation: .init(
            what: "Looks up the file of `new URL(\"…\", import.meta.url)`.",
            why: """
                Modules name images, fonts and WebAssembly in this way; without the file the \
                feature that needs it fails.
                """,
            sources: [.cite(.htmlStandard, "import.meta.url"), .proof("js-new-url")],
            instead: "Package the file.",
            detection: """
                Only names with an extension are looked up. Whether the code runs is not known, so \
                this is a warning, and a hint where Emscripten's code uses it only without \
                `locateFile`. Only string literals are checked; values in variables are not \
                known.
                """),
        examples: [
            .bad("js/app.js", "new URL(\"↓core.wasm\", import.meta.url)"),
            .bad(
                "js/app.js",
                "f = m.locateFile ? l(\"core.wasm\") : new URL(\"↓core.wasm\", import.meta.url).href",
                "only a hint"),
            .good(
                "js/app.js",
                "new URL(\"core.wasm\", import.meta.url); new URL(\"./\", import.meta.url)",
                others: ["js/core.wasm": ""]),
        ],
        document: { document, sink in
            sink.reportMisses(
                document.scriptReferences(.moduleURL).filter {
                    $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
                }, in: document, guarded: .hint)
        })
}
