import PackWeb

extension Rule {
    /// An API on another origin.
    static let jsAPICORS = Rule(
        "js-api-cors", "requests to a server need its permission", group: .script,
        level: .init("info where pages are loaded over the custom scheme") {
            $0.hasCustomPages ? .info : nil
        },
        explanation: .init(
            what: """
                Lists the hosts that scripts send requests to, one finding for each host and \
                file.
                """,
            why: """
                A page of the custom scheme has an origin of its own: the server has to answer \
                Access-Control-Allow-Origin for it, and the preflight of JSON and of \
                Authorization too. Some servers know https origins only.
                """,
            source: "FETCH (CORS protocol); ionic-team/capacitor 1143",
            instead: "Ask the server's team to allow the origin of the pages.",
            detection: """
                Absolute URLs in fetch, XMLHttpRequest, jQuery and axios. Literals of scripts \
                are read; what variables hold is not known.
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
                    at: fact.range, "'\(host)' has to allow the origin '\(origin.lowercased())'")
            }
        })
}
