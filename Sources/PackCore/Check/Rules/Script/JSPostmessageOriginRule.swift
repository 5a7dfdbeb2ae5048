import PackWeb

extension Rule {
    /// A message to an origin that the page does not have.
    static let jsPostmessageOrigin = Rule(
        "js-postmessage-origin", "a message names an origin", group: .script,
        level: .customPages(.info),
        explanation: .init(
            what: """
                Finds postMessage(…, "https://…") with an own host.
                """,
            why: """
                The frame of the package has the origin customscheme://host: the message is not \
                delivered.
                """,
            source: "HTML 9.4.3 (postMessage, targetOrigin)",
            instead: "Name the origin that the frame has on the device.",
            detection: """
                The literal of the call. Literals of scripts are read; what variables hold is \
                not known.
                """),
        examples: [
            .bad("app.js", "f.postMessage(a, \"↓https://www.example.com\")"),
            .good(
                "app.js", "f.postMessage(a, \"*\"); f.postMessage(a, \"https://pay.example.org\")"),
        ],
        document: { document, sink in
            for fact in document.facts(.messageTarget) {
                guard let host = fact.webHost, document.profile.hosts.contains(host) else {
                    continue
                }
                sink.report(at: fact.range, "a packaged page of '\(host)' has another origin")
            }
        })
}
