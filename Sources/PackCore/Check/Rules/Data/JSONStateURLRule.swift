import PackWeb

extension Rule {
    /// A packaged file in a page's state.
    static let jsonStateURL = Rule(
        "json-state-url", "data names a packaged file by its https address", group: .data,
        level: .always(.info),
        explanation: .init(
            what: """
                Finds strings in JSON that are the http or https URL of a file in the package.
                """,
            why: """
                Where a script takes the string as an image's address, the network is asked for \
                what the package holds.
                """,
            source: "rules section 6 (window.__NUXT__, __NEXT_DATA__)",
            instead: "Let the server or the build write paths without scheme and host.",
            detection: """
                Strings of JSON files and of script elements with a JSON type that are absolute \
                URLs on an own host.
                """),
        examples: [
            .bad(
                "index.html",
                "<script type=\"application/json\">{\"a\":\"↓https://www.example.com/i.png\"}</script>",
                others: ["i.png": ""]),
            .bad(
                "state.json", "{\"a\":\"↓https:\\/\\/www.example.com/i.png\"}",
                others: ["i.png": ""]),
            .good(
                "state.json", "{\"a\":\"https://www.example.com/gone.png\",\"b\":\"/i.png\"}",
                others: ["i.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.kind == .data(.json) {
                guard reference.resolution.file == nil, let twin = reference.resolution.twin else {
                    continue
                }
                sink.report(
                    reference, "'\(reference.text)' is in the package",
                    notes: ["it is '\(printable(document.site.path(twin).bytes))'"])
            }
        })
}
