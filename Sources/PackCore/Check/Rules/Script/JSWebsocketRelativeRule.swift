import PackWeb

extension Rule {
    /// A WebSocket URL without its scheme.
    static let jsWebsocketRelative = Rule(
        "js-websocket-relative", "a WebSocket URL does not start with ws: or wss:", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds `new WebSocket("…")` with a URL that does not start with `ws:` or `wss:`.
                """,
            why: """
                A relative URL inherits the page's scheme, which is not a WebSocket scheme: the \
                constructor throws a SyntaxError.
                """,
            sources: [.cite(.webSockets, "the constructor"), .proof("js-websocket-relative")],
            instead: "Write `wss://host/path`.",
            detection: """
                The literal in the call is checked. Only string literals are checked; values in \
                variables are not known.
                """),
        examples: [
            .bad("app.js", "new WebSocket(\"↓/ws\")"),
            .good("app.js", "new WebSocket(\"{{ live }}/w\")", "a placeholder"),
            .good(
                "app.js",
                "new WebSocket(\"wss://api.example.org/ws\"); new WebSocket(u); new WebSocket(\"ws\".concat(s, \"://h\"))"
            ),
        ],
        document: { document, sink in
            for fact in document.facts(.webSocket) {
                guard fact.fact.extent == .whole || fact.fact.extent == .prefix,
                    !fact.fact.value.isEmpty, !fact.isPlaceholder
                else { continue }
                let isSocket = fact.spells(Array("ws".utf8)) || fact.spells(Array("wss".utf8))
                if isSocket || fact.isWeb
                    || fact.fact.extent == .prefix && "wss:".utf8.starts(with: fact.fact.value)
                {
                    continue
                }
                sink.report(at: fact.range, "'\(fact.text)' is not a WebSocket URL here")
            }
        })
}
