import PackWeb

// Rules about attributes of links and pages that behave differently in an app.

extension Rule {
    /// A new window that an app does not open.
    static let targetBlank = Rule(
        "target-blank", "a link opens a new window", group: .markup, level: .always(.warning),
        fix: .unsafe,
        explanation: .init(
            what: """
                Finds `target=_blank` on links and forms: one finding, with the first place on each page.
                """,
            why: """
                Nothing happens in a web view whose app does not implement createWebViewWith. If \
                it does, the new web view has its own cookies.
                """,
            sources: [
                .cite(.appleDocs, "WKUIDelegate"), .cite(.s002, "WKProcessPool"),
                .proof("target-blank"),
            ],
            instead: "Open the link in the same view, or call the app through its bridge.",
            detection: "The `target` attribute is checked."),
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
                at: first, "this link does nothing in many apps",
                notes: places.count == 1 ? [] : ["\(places.count - 1) more on this page"],
                severity: isInNoscript ? .hint : nil, cause: "new window")
        })

    /// A download that the web view does not start.
    static let aDownload = Rule(
        "a-download", "a link downloads a file", group: .markup, level: .always(.warning),
        explanation: .init(
            what: "Finds links with `download`.",
            why:
                """
                Downloads need iOS 14.5 and an app that implements WKDownload; otherwise the \
                file replaces the page.
                """,
            sources: [.cite(.appleDocs, "WKDownload"), .cite(.ruleStudy)],
            instead: "Have the app save the file, through its bridge.",
            detection: "The `download` attribute is checked."),
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

    /// An application cache manifest.
    static let appcache = Rule(
        "appcache",
        """
        the page has an application cache manifest
        """, group: .markup, level: .always(.warning),
        fix: .safe,
        explanation: .init(
            what: "Finds `<html manifest>`.",
            why: "Browsers have removed the application cache, so the attribute has no effect.",
            sources: [.cite(.htmlStandard, "removed in 2021"), .proof("appcache")],
            instead: "Remove the attribute.",
            detection: "The `manifest` attribute of `html` is checked."),
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
                    reference, "browsers ignore this attribute", fix: document.removal(attribute))
            }
        })

    /// A web app manifest that the web view does not read.
    static let manifestLink = Rule(
        "manifest-link", "the page links to a web app manifest", group: .markup,
        level: .always(.hint),
        explanation: .init(
            what: "Finds `<link rel=manifest>`.",
            why: """
                WKWebView does not use web app manifests: in the package the file only costs \
                space.
                """,
            sources: [.cite(.ruleStudy), .cite(.s003, "its info.json lists a manifest.json")],
            instead: "Leave it out of the packaged page, and never rewrite it.",
            detection: "The `rel` of links is checked."),
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
