import PackWeb

extension Rule {
    /// Subresources over plain http.
    static let httpInCustom = Rule(
        "http-in-custom", "something is loaded over plain http", group: .security,
        level: .customPages(.warning), fix: .safe,
        explanation: .init(
            what: """
                Finds subresources with an `http://` URL in custom-scheme pages, and requests of \
                scripts for such a URL.
                """,
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
            detection: """
                The page loads the reference, or a script names it as the address of a request, and \
                its URL spells http. All requests of a file to one host are one finding. The \
                machine itself (`localhost`) has no other address, so nothing is proposed for it.
                """),
        examples: [
            .bad("index.html", "<img src=\"↓http://img.example.org/a.png\">"),
            .bad("app.css", "a { background: url('↓HTTP://img.example.org/a.png') }"),
            .bad(
                "app.js",
                "fetch(\"↓http://api.example.org/u\"); fetch(\"http://api.example.org/v/\" + id)",
                "one finding for the host"),
            .bad("index.html", "<script src=\"↓http://localhost:5173/x.js\"></script>"),
            .good("app.js", "fetch(\"http://localhost:3000/u\"); x = \"http://a.example/\""),
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
                let isLocal = reference.resolution.url?.host?.isLocal ?? false
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference, "App Transport Security blocks '\(reference.text)'",
                    fix: isLocal
                        ? nil : document.safeFix(reference, to: "https" + value.dropFirst(4)))
            }
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource)
            where fact.fact.extent != .part && fact.spells(Array("http".utf8)) {
                // A prefix may end within the host.
                guard fact.fact.extent == .whole || fact.hasWholeHost,
                    let host = URLRecord.parse(fact.fact.value)?.host, !host.isLocal
                else { continue }
                let name = String(decoding: host.serialized, as: UTF8.self)
                sink.report(
                    at: fact.range, "App Transport Security blocks requests to 'http://\(name)'",
                    severity: fact.isHarmless ? .hint : nil, cause: "requests to \(name)")
            }
        })
}
