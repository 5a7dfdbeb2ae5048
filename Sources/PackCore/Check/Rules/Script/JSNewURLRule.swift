import PackWeb

extension Rule {
    /// A file that a module refers to and that is not packaged.
    static let jsNewURL = Rule(
        "js-new-url", "a file that a module refers to is not in the package",
        group: .script,
        level: .init("warning, error where the script fetches the file") { _ in .warning },
        explanation: .init(
            what: "Looks up the file of `new URL(\"…\", import.meta.url)`.",
            why: """
                Modules name images, fonts and WebAssembly in this way; without the file the \
                feature that needs it fails.
                """,
            sources: [.cite(.htmlStandard, "import.meta.url"), .proof("js-new-url")],
            instead: "Package the file.",
            detection: """
                Only names with an extension are looked up. Whether the address is used is not known, \
                so this is a warning, an error as the argument of `fetch`, and a hint where \
                Emscripten's code uses it only without `locateFile`. Only string literals are checked; values in variables are not \
                known.
                """),
        examples: [
            .bad("js/app.js", "new URL(\"↓core.wasm\", import.meta.url)"),
            .bad(
                "js/app.js", "fetch(new URL(\"↓core.wasm\", import.meta.url))",
                "an error: the script requests it"),
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
            let files = document.scriptReferences(.moduleURL).filter {
                $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
            }
            sink.reportMisses(
                files.filter { $0.traits.contains(.requested) }, in: document, severity: .error,
                guarded: .hint)
            sink.reportMisses(
                files.filter { !$0.traits.contains(.requested) }, in: document, guarded: .hint)
        })
}
