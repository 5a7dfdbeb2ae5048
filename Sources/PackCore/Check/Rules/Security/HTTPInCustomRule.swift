extension Rule {
    /// Subresources over plain http.
    static let httpInCustom = Rule(
        "http-in-custom", "a subresource is loaded over plain http", group: .security,
        level: .customPages(.warning), fix: .safe,
        explanation: .init(
            what: "Finds subresources with an `http://` URL in custom-scheme pages.",
            why: """
                WebKit allows http in a custom-scheme page, but App Transport Security of iOS \
                blocks plain text unless the app's Info.plist allows it. The page works in a \
                desktop browser and fails on the phone.
                """,
            sources: [
                .cite(.webkitSource, "MixedContentChecker.cpp (only https documents are checked)"),
                .cite(.appleDocs, "NSAppTransportSecurity"), .proof("http-in-custom"),
            ],
            instead: "Write `https://`, or package the file.",
            detection: "The page loads the reference, and its URL spells http."),
        examples: [
            .bad("index.html", "<img src=\"↓http://img.example.org/a.png\">"),
            .bad("app.css", "a { background: url('↓HTTP://img.example.org/a.png') }"),
            .good("index.html", "<img src=\"https://img.example.org/a.png\">"),
            .good(
                "index.html", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
                "a namespace is a name and is never loaded"),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched && reference.isEffective
                && reference.writtenScheme == Array("http".utf8)
            {
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference, "App Transport Security blocks '\(reference.text)'",
                    fix: document.safeFix(reference, to: "https" + value.dropFirst(4)))
            }
        })
}
