import PackWeb

extension Rule {
    /// A path that the page cannot change to.
    static let jsHistoryAPI = Rule(
        "js-history-api", "the page's path cannot be changed", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds history.pushState and replaceState with a URL that is no fragment, once \
                for each file.
                """,
            why: """
                WebKit lets pages of other schemes than http, https and file change their \
                fragment only (from 2026 on), and so does Android's WebView since 117: the call \
                throws SecurityError.
                """,
            source: """
                WebKit 230111 (PR 64033, merged 2026-05-01); ionic-team/capacitor 6981, 6983
                """,
            instead: """
                Use a router that keeps the route in the fragment (createWebHashHistory, \
                HashRouter).
                """,
            detection: """
                Calls with a third argument other than location.href, of an object named history or \
                with a literal for the title, and the names where libraries compute which to call.
                """),
        examples: [
            .bad("app.js", "history.pushState({}, \"\", \"↓/p2\")"),
            .bad("app.js", "history[r ? \"↓replaceState\" : \"pushState\"](a, b, c)"),
            .bad("app.js", "p.↓pushState(i, \"\", a)", "the history under another name"),
            .good("app.js", "history.pushState({}, \"\", \"#/p2\"); history.pushState({}, \"\")"),
            .good("app.js", "e.pushState(b, d || h, y)", "a parser's"),
            .good("app.js", "history.replaceState({a}, \"\", location.href)", "the URL it has"),
        ],
        document: { document, sink in
            let facts = document.facts(.history).filter {
                $0.fact.value.first != UInt8(ascii: "#")
            }
            sink.reportFirst(facts) { _ in
                "newer systems let pages of the custom scheme change their fragment only"
            }
        })
}
