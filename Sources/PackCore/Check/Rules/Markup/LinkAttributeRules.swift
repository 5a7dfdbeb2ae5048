import PackWeb

// Rules about attributes of links and pages that mean something else in an app.

extension Rule {
    /// A new window that an app does not have.
    static let targetBlank = Rule(
        "target-blank", "a link opens a new window", group: .markup, level: .always(.warning),
        fix: .unsafe,
        explanation: .init(
            what: "Finds target=_blank on links and forms; the first of a page is reported.",
            why: """
                Nothing happens in a web view whose app does not implement createWebViewWith; and where \
                it does, the new web view has its own cookies.
                """,
            source: "WKUIDelegate; S002",
            instead: "Open in the same view, or ask the app by its bridge.",
            detection: "The attribute target."),
        examples: [
            .bad("index.html", "<a href=\"https://example.com/\" target=\"↓_blank\">x</a>"),
            .good("index.html", "<a href=\"https://example.com/\" target=\"_self\">x</a>"),
        ],
        document: { document, sink in
            var places: [(Range<Int>, Bool)] = []
            for reference in document.references
            where reference.htmlKind == .navigation || reference.htmlKind == .formSubmission {
                guard let element = document.element(of: reference),
                    document.keyword("target", of: element) == "_blank",
                    let attribute = document.attribute("target", of: element)
                else { continue }
                places.append((attribute.value, element.isInNoscript))
            }
            guard let (first, isInNoscript) = places.first(where: { !$0.1 }) ?? places.first else {
                return
            }
            sink.report(
                at: first,
                places.count == 1
                    ? "in many apps this link does nothing"
                    : "in many apps this link does nothing, and \(places.count - 1) more of this page",
                severity: isInNoscript ? .info : nil)
        })

    /// A download that the web view does not make.
    static let aDownload = Rule(
        "a-download", "a link downloads a file", group: .markup, level: .always(.warning),
        explanation: .init(
            what: "Finds links with 'download'.",
            why:
                "Downloads need iOS 14.5 and an app that implements WKDownload; else the file opens in the page's place.",
            source: "WKDownload; rules section 4",
            instead: "Let the app save the file, by its bridge.",
            detection: "The attribute download."),
        examples: [
            .bad("index.html", "<a href=\"↓a.pdf\" download>x</a>", others: ["a.pdf": ""]),
            .good("index.html", "<a href=\"a.pdf\">x</a>", others: ["a.pdf": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard let element = document.element(of: reference),
                    document.has("download", element)
                else { continue }
                sink.report(reference, "few apps can save '\(reference.text)'")
            }
        })

    /// The cache manifest of old.
    static let appcache = Rule(
        "appcache", "the page has a cache manifest", group: .markup, level: .always(.warning),
        fix: .safe,
        explanation: .init(
            what: "Finds <html manifest>.",
            why: "Browsers have removed the application cache; at best it does nothing.",
            source: "HTML standard (removed 2021)",
            instead: "Remove the attribute.",
            detection: "The attribute manifest of html."),
        examples: [
            .bad(
                "index.html", "<html manifest=\"↓app.appcache\"></html>",
                others: ["app.appcache": ""]),
            .good("index.html", "<html lang=\"en\"></html>"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .applicationCache {
                guard let element = document.element(of: reference),
                    let attribute = document.attribute("manifest", of: element)
                else { continue }
                sink.report(
                    reference, "no browser reads it any more", fix: document.removal(attribute))
            }
        })

    /// A manifest that the web view does not read.
    static let manifestLink = Rule(
        "manifest-link", "the page links to a web app manifest", group: .markup,
        level: .always(.info),
        explanation: .init(
            what: "Finds <link rel=manifest>.",
            why: "WKWebView does not use web app manifests: in the package it is dead weight.",
            source: "WebKit; S003's info.json ships one",
            instead: "Leave it out of the packaged page; never rewrite it.",
            detection: "The relation of the link."),
        examples: [
            .bad(
                "index.html", "<link rel=\"manifest\" href=\"↓manifest.json\">",
                others: ["manifest.json": "{}"]),
            .good("index.html", "<link rel=\"icon\" href=\"data:,\">"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .manifest {
                sink.report(reference, "a web view does not read it")
            }
        })
}
