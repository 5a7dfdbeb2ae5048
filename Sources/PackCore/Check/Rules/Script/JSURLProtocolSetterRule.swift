import PackWeb

extension Rule {
    /// A scheme that cannot be changed.
    static let jsURLProtocolSetter = Rule(
        "js-url-protocol-setter", group: .script, level: .customPages(.warning),
        document: { document, sink in
            // js-websocket-relative reports the WebSocket, if it is in sight.
            let isReported = document.facts(.webSocket).contains {
                $0.fact.detail == JavaScriptReference.pageScheme
            }
            for fact in document.facts(.protocolAssignment) {
                guard fact.fact.detail != "this",
                    ["https:", "http:", "https", "http"].contains(fact.text)
                        || fact.fact.detail == JavaScriptReference.pageScheme && !isReported
                else { continue }
                sink.report(at: fact.range, "on a custom URL this assignment has no effect")
            }
        })
}
