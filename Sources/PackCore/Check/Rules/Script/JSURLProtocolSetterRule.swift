import PackWeb

extension Rule {
    /// A scheme that cannot be changed.
    static let jsURLProtocolSetter = Rule(
        "js-url-protocol-setter", group: .script, level: .customPages(.warning),
        document: { document, sink in
            for fact in document.facts(.protocolAssignment) {
                guard fact.fact.detail != "this",
                    ["https:", "http:", "https", "http"].contains(fact.text)
                else { continue }
                sink.report(at: fact.range, "on a custom URL this assignment has no effect")
            }
        })
}
