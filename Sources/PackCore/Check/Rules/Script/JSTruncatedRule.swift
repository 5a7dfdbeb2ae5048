import PackWeb

extension Rule {
    /// A script without its end.
    static let jsTruncated = Rule(
        "js-truncated", group: .script, level: .always(.error),
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
