import PackProfile
import PackWeb

extension Rule {
    /// A URL composed with the page's scheme.
    static let jsLocationProtocol = Rule(
        "js-location-protocol", group: .script, level: .customPages(.error),
        document: { document, sink in
            let facts = document.facts(.locationProtocol)
            for fact in facts
            where fact.fact.detail == "joined" && fact.fact.value.count > 2 && !fact.isHarmless {
                sink.report(
                    at: fact.range,
                    """
                    this becomes '\(document.profile.scheme.lowercased()):\(fact.text)…', \
                    which goes to the handler
                    """
                )
            }
            let others = facts.filter {
                $0.fact.detail == "compared"
                    || $0.fact.detail == "joined" && $0.fact.value.count <= 2
            }
            let serious = others.filter { !$0.isHarmless }
            if let first = serious.first ?? others.first {
                let count = serious.isEmpty ? others.count : serious.count
                sink.report(
                    at: first.range,
                    "location.protocol is '\(document.profile.scheme.lowercased()):' on the device",
                    notes: count > 1 ? ["\(count - 1) more in this file"] : [],
                    severity: serious.isEmpty ? .hint : .warning, cause: "compared")
            }
        })
}
