import PackWeb

extension Rule {
    /// A file beside a module that is not packaged.
    static let jsNewURL = Rule(
        "js-new-url", "a file that a module names beside itself is not in the package",
        group: .script,
        level: .always(.warning),
        explanation: .init(
            what: """
                Looks up the file of new URL("…", import.meta.url).
                """,
            why: """
                It is how modules name images, fonts and WebAssembly beside them; without the \
                file the feature that asks for it fails.
                """,
            source: "rules section 7; HTML 8.1.6 (import.meta.url)",
            instead: "Package the file.",
            detection: """
                Only names with an extension are looked up; whether the code runs is not known, \
                so this warns. Literals of scripts are read; what variables hold is not known.
                """),
        examples: [
            .bad("js/app.js", "new URL(\"↓core.wasm\", import.meta.url)"),
            .good(
                "js/app.js",
                "new URL(\"core.wasm\", import.meta.url); new URL(\"./\", import.meta.url)",
                others: ["js/core.wasm": ""]),
        ],
        document: { document, sink in
            sink.reportMisses(
                document.scriptReferences(.moduleURL).filter {
                    $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
                }, in: document)
        })
}
