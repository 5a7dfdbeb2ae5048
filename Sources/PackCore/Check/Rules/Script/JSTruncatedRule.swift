import PackWeb

extension Rule {
    /// A script without its end.
    static let jsTruncated = Rule(
        "js-truncated", "a script ends in the middle", group: .script, level: .always(.error),
        explanation: .init(
            what: "Finds scripts that end inside a bracket, a string or a template.",
            why: """
                Such a script is a syntax error: nothing of it runs. It comes from a copy that was \
                cut short, or from a template that the server should have filled in.
                """,
            sources: [.cite(.ruleStudy)],
            instead: "Build again, and compare the file's size with that of the build's output.",
            detection: "The script's tokens are read to the end, and open brackets are counted."),
        examples: [
            .bad("app.js", "function a() { return [1, 2", silent: [], except: [.comment, .string]),
            .bad("app.js", "a = 'b", silent: [], except: [.comment, .string, .singleQuotes]),
            .bad(
                "index.html", "<script>↓start({</script>",
                silent: [.comment, .string, .template, .noscript]),
            .good("app.js", "function a() { return [1, `2${3}`, /[(]/, '{'] }"),
            .good("index.html", "<script type=\"text/plain\">start({</script>"),
        ],
        document: { document, sink in
            for (script, references) in zip(document.scripts, document.scriptReferences)
            where references.endsOpen && script.role != .eventHandler {
                if let number = script.fragment, let html = document.html {
                    let element = html.elements[html.fragments[number].element]
                    if element.isInTemplate || element.isInNoscript { continue }
                }
                let start = script.fileRange(of: 0..<min(1, script.bytes.count))
                sink.report(
                    at: script.fragment == nil ? nil : start,
                    "the script ends inside a bracket or string")
            }
        })
}
