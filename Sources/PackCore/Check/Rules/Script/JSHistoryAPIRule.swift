import PackWeb

extension Rule {
    /// A path change that the web view refuses.
    static let jsHistoryAPI = Rule(
        "js-history-api", "a script changes the page's path", group: .script,
        level: .customPages(.warning),
        explanation: .init(
            what: """
                Finds `history.pushState` and `replaceState` with a URL that is not only a \
                fragment, once for each file.
                """,
            why: """
                From 2026 on WebKit lets pages of schemes other than http, https and file change \
                only their fragment, and so does Android's WebView since version 117: the call \
                throws a SecurityError. Where it does not, a router that reads the path finds \
                `/index.html` there, has no route for it, and shows its page for unknown addresses.
                """,
            sources: [
                .issue(.webkitBugs, 230111, detail: "pull request 64033, merged 2026-05-01"),
                .issue(.capacitor, 6981, 6983), .proof("js-history-api"),
            ],
            instead: """
                Use a router that keeps the route in the fragment (`createWebHashHistory`, \
                `HashRouter`).
                """,
            detection: """
                In `try` it is a hint, unless its `catch` opens the address. Calls with a third \
                argument are reported, on an object named history or with a literal title, and the \
                method names where libraries compute which one to call. `location.href`, also with \
                another fragment, and `location.pathname + location.search` are the page's own \
                address.
                """),
        examples: [
            .bad("app.js", "history.pushState({}, \"\", \"↓/p2\")"),
            .bad("app.js", "history[r ? \"↓replaceState\" : \"pushState\"](a, b, c)"),
            .bad("app.js", "p.↓pushState(i, \"\", a)", "the history under another name"),
            .bad(
                "app.js", "try{history.↓pushState(a, \"\", b)}catch(e){location.assign(b)}",
                "the error opens the page anew"),
            .bad("app.js", "try{history.↓replaceState(a, \"\", b)}catch{}", "only a hint"),
            .good("app.js", "history.pushState({}, \"\", \"#/p2\"); history.pushState({}, \"\")"),
            .good("app.js", "e.pushState(b, d || h, y)", "not a history object"),
            .good(
                "app.js", "history.replaceState({a}, \"\", location.href)",
                """
                the URL does not change
                """),
            .good(
                "app.js",
                "f=()=>{const e=window.location.href.replace(/(#.+)?$/,this.hash());history.replaceState(history.state,null,e)}",
                "only the fragment changes, as in the address of a map"),
            .good(
                "app.js",
                "i.history.replaceState(null,\"\",`${i.location.origin}${i.location.pathname}${i.location.search}`);history.replaceState(null,\"\",location.pathname+location.search+\"#\"+x)",
                "the same page with another fragment"),
            .bad(
                "app.js",
                "f=()=>{const e=location.href.replace(/\\?.*$/,\"\");history.↓replaceState(s,null,e)}",
                "the query changes"),
            .bad(
                "app.js", "history.↓replaceState(null,\"\",location.pathname+\"?\"+q)",
                "the query changes"),
        ],
        document: { document, sink in
            let facts = document.facts(.history).filter {
                $0.fact.value.first != UInt8(ascii: "#")
            }
            sink.reportFirst(facts, harmless: \.isHarmless) { _ in
                "newer systems let custom-scheme pages change only their fragment"
            }
        })
}
