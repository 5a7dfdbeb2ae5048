import PackWeb

extension Rule {
    /// An imported module that is not packaged.
    static let jsDynamicImport = Rule(
        "js-dynamic-import", "a script imports a file that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up the files of import declarations, `import("…")` and `importScripts("…")`.
                """,
            why: """
                If a static import fails, the whole module does not run; a dynamic one fails when \
                its page is opened.
                """,
            sources: [.cite(.htmlStandard, "module scripts"), .proof("js-dynamic-import")],
            instead: "Package every file that the build wrote.",
            detection: """
                Addresses are resolved against the script's own URL; bare names are left to \
                js-bare-import. Only string literals are checked; values in variables are not known.
                """),
        examples: [
            .bad("js/app.js", "import(\"↓./gone-1a.js\"); import \"↓./b.js\""),
            .good(
                "js/app.js", "import \"./B.js\"", "another case: case-mismatch reports it",
                others: ["js/b.js": ""], profile: .pathStrict),
            .good(
                "js/app.js", "import(\"./page-1a.js\"); import x from \"react\"",
                others: ["js/page-1a.js": ""]),
        ],
        document: { document, sink in
            sink.reportMisses(
                document.scriptReferences(.staticImport, .dynamicImport, .importScripts),
                in: document)
        })
}
