import PackWeb

extension Rule {
    /// A script inserted with `document.write`.
    static let jsDocumentWriteScript = Rule(
        "js-document-write-script", group: .script,
        level: .init("warning if the URL has no scheme of its own, else hint") { _ in .warning },
        document: { document, sink in
            for fact in document.facts(.documentWrite)
            where !fact.isHarmless && fact.text.lowercased().contains("<script") {
                sink.report(
                    at: fact.range, "this writes a script element",
                    severity: inheritsScheme(fact.text) ? nil : .hint, cause: "script")
            }
        })
}

/// Whether markup contains a URL starting with `//`.
private func inheritsScheme(_ markup: String) -> Bool {
    ["=//", "=\"//", "='//", "=\\\"//", "=\\'//"].contains { markup.contains($0) }
}
