import PackWeb

extension Rule {
    /// A bundler that loads its chunks from a CDN.
    static let jsPublicPath = Rule(
        "js-public-path", "the bundler loads its chunks from the network", group: .script,
        level: .customPages(.error),
        explanation: .init(
            what: """
                Finds the public path of webpack (n.p = "…") and of Vite's preload helper where \
                it is an http or https URL.
                """,
            why: """
                All chunks that load later come from that address: the package holds them, and \
                nobody asks it.
                """,
            source: """
                rules section 7 and 1.1; webpack documentation, output.publicPath; Vite, base
                """,
            instead: """
                Build with a public path of "/", "auto" or "./".
                """,
            detection: """
                The assignment is known by the chunk map that stands in the same runtime.
                """),
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
