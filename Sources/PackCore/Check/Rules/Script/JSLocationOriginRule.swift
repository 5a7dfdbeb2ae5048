import PackWeb

extension Rule {
    /// The page's host used as the server's address.
    static let jsLocationOrigin = Rule(
        "js-location-origin", "the page's origin is not the server's", group: .script,
        level: .customPages(.hint),
        explanation: .init(
            what: """
                Finds `location.origin`, `location.host` and `location.hostname`, once for each \
                file.
                """,
            why: """
                In a custom-scheme page they name the package, not the server: API base URLs, \
                redirect URIs and postMessage targets built from them are wrong.
                """,
            sources: [
                .cite(.webkitSource, "SecurityOrigin.cpp"), .cite(.ruleStudy),
                .proof("js-location-origin"),
            ],
            instead: "Configure the server's address.",
            detection: """
                How the value is used is not known, and routers use it harmlessly, so this is only \
                a hint.
                """),
        examples: [
            .bad("app.js", "x = location.↓origin + \"/api\""),
            .good("app.js", "x = event.origin; y = url.host"),
        ],
        document: { document, sink in
            // Not which of them comes first, which changes with every build.
            sink.reportFirst(document.facts(.locationOrigin)) { _ in
                "the page's own origin and host name the package, not the server"
            }
        })
}
