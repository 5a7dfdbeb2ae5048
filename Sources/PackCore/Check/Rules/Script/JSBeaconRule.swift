import PackWeb

extension Rule {
    /// A beacon to a URL that is not http or https.
    static let jsBeacon = Rule(
        "js-beacon", "a beacon URL is not http or https", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: "Finds `navigator.sendBeacon` with a relative URL or a custom URL.",
            why: """
                `sendBeacon` throws a TypeError unless the URL is http or https. In a \
                custom-scheme page a relative URL is neither.
                """,
            sources: [.cite(.beacon, "processing model"), .proof("js-beacon")],
            instead: "Write the absolute https URL.",
            detection: """
                The literal in the call is checked. Only string literals are checked; values in \
                variables are not known.
                """),
        examples: [
            .bad("app.js", "navigator.sendBeacon(\"↓/log\", d)"),
            .good("app.js", "navigator.sendBeacon(\"https://www.example.com/log\", d)"),
            .good("app.js", "navigator.sendBeacon(\"{{ log }}/a\", d)", "a placeholder"),
        ],
        document: { document, sink in
            for fact in document.facts(.beacon) {
                guard fact.fact.extent == .whole || fact.fact.extent == .prefix, !fact.isWeb,
                    !fact.isHarmless,
                    !fact.fact.value.isEmpty, !fact.isPlaceholder
                else { continue }
                sink.report(
                    at: fact.range, "'\(fact.text)' is not http or https: sendBeacon throws")
            }
        })
}
