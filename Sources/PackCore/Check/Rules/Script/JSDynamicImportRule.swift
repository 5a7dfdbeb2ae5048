import PackWeb

extension Rule {
    /// A module that is imported and not packaged.
    static let jsDynamicImport = Rule(
        "js-dynamic-import", "a script imports a file that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Looks up the files of import declarations, import("…") and importScripts("…").
                """,
            why: """
                A static import that fails keeps the whole module from running; a dynamic one \
                fails when its page is opened.
                """,
            source: "rules section 7; HTML 8.1.6 (module scripts)",
            instead: "Package every file that the build wrote.",
            detection: """
                Addresses count from the script's own URL; bare names are left to import maps. \
                Literals of scripts are read; what variables hold is not known.
                """),
        examples: [
            .bad("js/app.js", "import(\"↓./gone-1a.js\"); import \"↓./b.js\""),
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
