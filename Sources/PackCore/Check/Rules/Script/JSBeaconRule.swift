import PackWeb

extension Rule {
    /// A beacon that goes nowhere.
    static let jsBeacon = Rule(
        "js-beacon", "a beacon has to go to http or https", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds navigator.sendBeacon with a relative URL or one of the custom scheme.
                """,
            why: """
                sendBeacon throws TypeError unless the URL is http or https; in a page of the \
                custom scheme a relative one is not.
                """,
            source: "Beacon, 3.2 (processing model)",
            instead: "Write the absolute https URL.",
            detection: """
                The literal of the call. Literals of scripts are read; what variables hold is \
                not known.
                """),
        examples: [
            .bad("app.js", "navigator.sendBeacon(\"↓/log\", d)"),
            .good("app.js", "navigator.sendBeacon(\"https://www.example.com/log\", d)"),
        ],
        document: { document, sink in
            for fact in document.facts(.beacon) {
                guard fact.fact.extent == .whole || fact.fact.extent == .prefix, !fact.isWeb,
                    !fact.fact.value.isEmpty
                else { continue }
                sink.report(
                    at: fact.range, "'\(fact.text)' is not http or https: sendBeacon throws")
            }
        })
}
