import PackWeb

extension Rule {
    /// A beacon to a URL that is not http or https.
    static let jsBeacon = Rule(
        "js-beacon", group: .script, level: .customPages(.error),
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
