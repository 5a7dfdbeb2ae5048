extension Rule {
    /// Clear-text sub-resources.
    static let httpInCustom = Rule(
        "http-in-custom", "iOS refuses clear-text http", group: .security,
        level: .customPages(.warning), fix: .safe,
        explanation: .init(
            what: "Finds sub-resources with an http:// URL in pages of the custom scheme.",
            why: """
                WebKit itself lets a page of a custom scheme load http, but App Transport Security of \
                iOS refuses clear text unless the app's Info.plist makes an exception. It works in a \
                desktop browser and fails on the phone.
                """,
            source: """
                WebKit MixedContentChecker (only https documents are checked); Apple, \
                NSAppTransportSecurity
                """,
            instead: "Write https://, or package the file.",
            detection: "The reference is fetched by the page and spells http."),
        examples: [
            .bad("index.html", "<img src=\"↓http://img.example.org/a.png\">"),
            .bad("app.css", "a { background: url('↓HTTP://img.example.org/a.png') }"),
            .good("index.html", "<img src=\"https://img.example.org/a.png\">"),
            .good(
                "index.html", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
                "a namespace is a name and never loaded"),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched && reference.isEffective
                && reference.writtenScheme == Array("http".utf8)
            {
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference, "App Transport Security refuses '\(reference.text)'",
                    fix: document.safeFix(reference, to: "https" + value.dropFirst(4)))
            }
        })
}
