extension Rule {
    /// A chunk in the bundler's map that is not packaged.
    static let jsChunkMissing = Rule(
        "js-chunk-missing", "a chunk that the bundler can load is not in the package",
        group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Expands webpack's map of chunk names and the list that Vite preloads from, and \
                looks up every file.
                """,
            why: """
                Routes that load later are what testers forget offline: the page works until \
                somebody opens the one whose chunk is missing.
                """,
            source: """
                rules section 7; webpack runtime "get javascript chunk filename"; Vite \
                __vite__mapDeps
                """,
            instead: "Package every file that the build wrote.",
            detection: """
                The function that makes the names is evaluated for each chunk; one that holds \
                anything but literals, tables and conditions is left alone.
                """),
        examples: [
            .bad(
                "app.js", "n.u=↓e=>\"js/\"+e+\".\"+{1:\"aa\",2:\"bb\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .bad(
                "a.js",
                "const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[\"↓x/b.js\"])))=>i"),
            .good(
                "app.js", "n.u=e=>\"js/\"+e+\".\"+{1:\"aa\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .good("app.js", "n.u=e=>other(e)+{1:\"aa\"}[e]", "not known, so not judged"),
        ],
        document: { document, sink in
            let missing = document.scriptReferences(.chunk, .preloadDependency).filter {
                $0.resolution.isMiss
            }
            // A map is one place however many chunks it has.
            for (_, chunks) in Dictionary(grouping: missing, by: \.range.lowerBound) {
                guard let first = chunks.first else { continue }
                let more = chunks.count - 1
                sink.report(
                    first,
                    more == 0
                        ? LookupModel.missMessage(first, in: document.site)
                        : "'\(first.text)' and \(more) more chunks are not in the package",
                    notes: more == 0
                        ? document.site.hints(for: first.resolution)
                        : chunks.dropFirst().prefix(9).map { "'\($0.text)'" })
            }
        })
}
