import PackWeb

extension Rule {
    /// A web socket without its scheme.
    static let jsWebsocketRelative = Rule(
        "js-websocket-relative", "a web socket has no address of its own", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds new WebSocket("…") with a URL that does not start with ws: or wss:.
                """,
            why: """
                Relative URLs take the page's scheme, which is none that a web socket can have: \
                the constructor throws SyntaxError.
                """,
            source: "WebSockets standard 3.1; rules section 7",
            instead: "Write wss://host/path.",
            detection: """
                The literal of the call. Literals of scripts are read; what variables hold is \
                not known.
                """),
        examples: [
            .bad("app.js", "new WebSocket(\"↓/ws\")"),
            .good("app.js", "new WebSocket(\"wss://api.example.org/ws\"); new WebSocket(u)"),
        ],
        document: { document, sink in
            for fact in document.facts(.webSocket) {
                guard fact.fact.extent == .whole || fact.fact.extent == .prefix,
                    !fact.fact.value.isEmpty
                else { continue }
                let isSocket = fact.spells(Array("ws".utf8)) || fact.spells(Array("wss".utf8))
                if isSocket || fact.isWeb
                    || fact.fact.extent == .prefix && fact.fact.value.count < 2
                {
                    continue
                }
                sink.report(at: fact.range, "'\(fact.text)' is no address of a web socket here")
            }
        })
}
