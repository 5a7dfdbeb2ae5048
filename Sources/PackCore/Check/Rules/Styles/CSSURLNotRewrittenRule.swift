extension Rule {
    /// A packaged file that a style sheet loads from the network.
    static let cssURLNotRewritten = Rule(
        "css-url-not-rewritten", "a style sheet loads a packaged file from the network",
        group: .styles,
        level: .init("warning where hosts are configured") { $0.hosts.isEmpty ? nil : .warning },
        fix: .safe,
        explanation: .init(
            what: "Finds URLs in CSS whose https URL is that of a packaged file.",
            why: "The file is in the package, but the style sheet loads it from the network.",
            sources: [.cite(.ruleStudy)],
            instead: "Write the URL relative to the style sheet, so that it inherits the scheme.",
            detection:
                "Each https URL of a configured host is looked up in the package by its path."),
        examples: [
            .bad(
                "app.css", "a { background: url(\"↓https://www.example.com/img/a.png\") }",
                others: ["img/a.png": ""]),
            .bad(
                "index.html",
                "<p style=\"background: url(&quot;↓https://www.example.com/img/a.png&quot;)\">x</p>",
                others: ["img/a.png": ""], except: [.entities]),
            .good(
                "app.css",
                "a { background: url(img/a.png) } b { background: url(//www.example.com/img/a.png) }",
                others: ["img/a.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.cssRole != nil {
                guard NotFromPackage.isBypass(reference, document) else { continue }
                NotFromPackage.report(
                    reference, document, &sink,
                    "this file is in the package, but the style sheet loads it from the network")
            }
        })
}
