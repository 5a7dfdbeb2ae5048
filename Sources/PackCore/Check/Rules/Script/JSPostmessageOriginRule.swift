extension Rule {
    /// A message to a web origin that the page does not have.
    static let jsPostmessageOrigin = Rule(
        "js-postmessage-origin",
        """
        a message is sent to a web origin that a packaged page does not have
        """, group: .script,
        level: .customPages(.hint),
        explanation: .init(
            what: "Finds `postMessage(…, \"https://…\")` with one of the app's hosts.",
            why: """
                A packaged frame has the web origin `customscheme://host`, so the message is not \
                delivered.
                """,
            sources: [
                .cite(.htmlStandard, "postMessage(), targetOrigin"),
                .proof("js-postmessage-origin"),
            ],
            instead: "Name the web origin that the frame has on the device.",
            detection: "The literal in the call is checked. Values in variables are not known."),
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
                sink.report(at: fact.range, "a packaged page of '\(host)' has another web origin")
            }
        })
}
