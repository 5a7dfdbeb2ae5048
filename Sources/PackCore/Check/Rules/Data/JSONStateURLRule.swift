extension Rule {
    /// A packaged file that JSON data names by its https URL.
    static let jsonStateURL = Rule(
        "json-state-url", "JSON data names a packaged file by its https URL", group: .data,
        level: .always(.hint),
        explanation: .init(
            what: "Finds strings in JSON that are the http or https URL of a packaged file.",
            why: """
                Where a script uses the string as an address, such as an image's, the file is \
                loaded from the network although it is packaged.
                """,
            sources: [.cite(.ruleStudy, "window.__NUXT__ and __NEXT_DATA__")],
            instead: "Have the server or the build write paths without scheme and host.",
            detection: """
                Strings in JSON files and in script elements with a JSON type are checked if they \
                are absolute URLs with one of the app's hosts.
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
                    notes: ["packaged as '\(printable(document.site.path(twin).bytes))'"])
            }
        })
}
