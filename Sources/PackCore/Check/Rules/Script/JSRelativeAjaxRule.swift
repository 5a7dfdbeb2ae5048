extension Rule {
    /// A server request with a relative URL.
    static let jsRelativeAjax = Rule(
        "js-relative-ajax", "a request without a host goes to the handler, not to the server",
        group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds fetch, XMLHttpRequest, jQuery, axios and EventSource with a relative URL for \
                which the package has no file.
                """,
            why: """
                In a custom-scheme page `/api/user` means `customscheme://…/api/user`: the handler \
                looks for a file, and its fallback request has neither the method nor the body nor \
                the headers of the original.
                """,
            sources: [
                .cite(.s004, "requests have to use http or https"),
                .cite(.s003, "startURLSchemeTask"), .issue(.capacitor, 1143),
                .proof("js-relative-ajax"),
            ],
            instead: """
                Write the absolute https URL, and have the server send Access-Control-Allow-Origin \
                for the page's web origin.
                """,
            detection: """
                The first argument is resolved against the page. A GET of a packaged file is fine, \
                and so is a prefix under which files are packaged. Only string literals are \
                checked; values in variables are not known.
                """),
        examples: [
            .bad("app.js", "fetch(\"↓/api/u\")"),
            .bad("app.js", "x.open(\"POST\", \"↓api/login\")"),
            .bad("app.js", "fetch(`↓/api/${id}`); a.create({baseURL: \"↓/api\"})"),
            .good(
                "app.js",
                "fetch(\"https://api.example.com/u\"); fetch(\"/i18n/zh.json\"); fetch(`/i18n/${l}.json`)",
                others: ["i18n/zh.json": "{}"]),
            .good("app.js", "fetch(u); fetch(\"data:,x\"); route(\"/api/u\")"),
            .good("app.js", "a = {baseURL: \"undefined\" == typeof document ? \"\" : u}"),
        ],
        document: { document, sink in
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource) {
                guard !fact.isAbsolute, !fact.fact.value.isEmpty else { continue }
                switch fact.fact.extent {
                case .whole:
                    guard document.resolveFromPage(fact).isMiss, fact.fact.value != Array("/".utf8)
                    else { continue }
                    if fact.fact.kind == .ajaxBase, document.hasFiles(below: fact.fact.value) {
                        continue
                    }
                case .prefix:
                    guard fact.fact.value.contains(UInt8(ascii: "/")), fact.fact.value.count > 2,
                        !document.hasFiles(below: fact.fact.value)
                    else { continue }
                case .none, .part: continue
                }
                sink.report(
                    at: fact.range,
                    "'\(fact.text)' is requested from the handler, which has no such file",
                    notes: fact.fact.extent == .whole
                        ? document.site.hints(for: document.resolveFromPage(fact)) : [])
            }
        })
}
