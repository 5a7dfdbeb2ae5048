extension Rule {
    /// A bundler that loads its chunks from the network.
    static let jsPublicPath = Rule(
        "js-public-path", "the bundler loads its chunks from the network", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds the public path of webpack (`n.p = "…"`) and of Vite's preload helper where \
                it is an http or https URL.
                """,
            why: """
                All lazily loaded chunks are requested from that address, although the package \
                contains them.
                """,
            sources: [
                .cite(.webpack, "output.publicPath"), .cite(.vite, "base"),
                .proof("js-public-path"),
            ],
            instead: "Build with a public path of `/`, `auto` or `./`.",
            detection: "The assignment is recognized by the chunk map in the same runtime."),
        examples: [
            .bad(
                "app.js", "n.u=e=>\"js/\"+{1:\"aa\"}[e]+\".js\",n.p=\"↓https://cdn.example.org/\""),
            .bad(
                "app.js", "a=\"modulepreload\",b=function(e){return\"↓https://cdn.example.org/\"+e}"
            ),
            .good("app.js", "n.u=e=>\"js/\"+{1:\"aa\"}[e]+\".js\",n.p=\"/\""),
            .good("app.js", "n.p=\"https://cdn.example.org/x.png\"", "not a bundler's"),
        ],
        document: { document, sink in
            for fact in document.facts(.publicPath) where fact.isWeb {
                sink.report(
                    at: fact.range,
                    "chunks are loaded from '\(fact.text)', not from the package")
            }
        })
}
