import PackWeb

extension Rule {
    /// A WebSocket URL without its scheme.
    static let jsWebsocketRelative = Rule(
        "js-websocket-relative", group: .script, level: .customPages(.error),
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
