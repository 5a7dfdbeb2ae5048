import PackWeb

extension Rule {
    /// A WebSocket URL without its scheme, or with that of the page.
    static let jsWebsocketRelative = Rule(
        "js-websocket-relative", group: .script, level: .customPages(.error),
        document: { document, sink in
            for fact in document.facts(.webSocket)
            where fact.fact.detail == JavaScriptReference.pageScheme && !fact.isHarmless {
                sink.report(
                    at: fact.range,
                    "this address has the scheme of the page, which no WebSocket accepts",
                    notes: ["the constructor throws"],
                    severity: fact.fact.isTried
                        ? .hint : document.runsAtOnce(fact) ? nil : .warning)
            }
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

extension DocumentContext {
    /// Whether a fact is outside functions, and happens while the page starts.
    fileprivate func runsAtOnce(_ fact: ScriptFact) -> Bool {
        !JavaScriptOuterCode.places(
            [fact.fact.range.lowerBound], of: fact.script.bytes.span,
            goal: fact.script.role == .module ? .module : .script
        ).isEmpty
    }
}
