import PackWeb

extension Rule {
    /// The page's origin as the server's address.
    static let jsLocationOrigin = Rule(
        "js-location-origin", "the page's origin is not the server's", group: .script,
        level: .customPages(.info),
        explanation: .init(
            what: """
                Finds location.origin, location.host and location.hostname, once for each file.
                """,
            why: """
                In a page of the custom scheme they name the package, not the server: API bases, \
                redirect URIs and postMessage targets made from them are wrong.
                """,
            source: "rules section 7; WebKit SecurityOrigin.cpp",
            instead: "Configure the server's address.",
            detection: """
                What becomes of the value is not known, and routers use it harmlessly; so this \
                is advice.
                """),
        examples: [
            .bad("app.js", "x = location.↓origin + \"/api\""),
            .good("app.js", "x = event.origin; y = url.host"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.locationOrigin)) {
                "location.\($0.fact.detail) names the package, not the server"
            }
        })
}
