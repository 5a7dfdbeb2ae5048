extension Rule {
    /// An API on another web origin.
    static let jsAPICORS = Rule(
        "js-api-cors", "a script's request needs CORS headers from the server", group: .script,
        level: .init("hint where pages are loaded over the custom scheme") {
            $0.hasCustomPages ? .hint : nil
        },
        explanation: .init(
            what: """
                Lists the hosts that scripts send requests to, one finding for each host and file.
                """,
            why: """
                A custom-scheme page has its own web origin: the server must send \
                Access-Control-Allow-Origin for it, and answer the preflight of requests with JSON \
                or Authorization. Some servers only allow https origins.
                """,
            sources: [
                .cite(.fetchStandard, "CORS protocol"), .issue(.capacitor, 1143),
                .proof("js-api-cors"),
            ],
            instead: "Ask the server's team to allow the pages' web origin.",
            detection: """
                Absolute URLs in fetch, XMLHttpRequest, jQuery and axios calls are listed. Only \
                string literals are checked; values in variables are not known.
                """),
        examples: [
            .bad(
                "app.js",
                "fetch(\"↓https://api.example.org/u\"); fetch(\"https://api.example.org/v\")"),
            .good(
                "app.js", "fetch(\"/a.json\"); x = \"https://api.example.org/u\"",
                others: ["a.json": ""]),
        ],
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource) {
                guard fact.fact.extent != .part, let host = fact.webHost, seen.insert(host).inserted
                else {
                    continue
                }
                let origin = "\(document.profile.scheme)://\(document.profile.pageHost)"
                sink.report(
                    at: fact.range, "'\(host)' must allow the web origin '\(origin.lowercased())'")
            }
        })
}
