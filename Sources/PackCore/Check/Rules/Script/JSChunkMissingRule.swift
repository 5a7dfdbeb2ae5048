extension Rule {
    /// A chunk in the bundler's map that is not packaged.
    static let jsChunkMissing = Rule(
        "js-chunk-missing", "a chunk that the bundler may load is not in the package",
        group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Expands webpack's map of chunk names and Vite's list of preloads, and looks up \
                every file.
                """,
            why: """
                Lazy routes are easy to forget in offline tests: the page works until someone \
                opens the route whose chunk is missing.
                """,
            sources: [
                .cite(.webpack, "the runtime's \"get javascript chunk filename\""),
                .cite(.vite, "__vite__mapDeps"), .proof("js-chunk-missing"),
            ],
            instead: "Package every file that the build wrote.",
            detection: """
                The function that composes the names is evaluated for each chunk; a function that \
                contains more than literals, tables and conditions is skipped. If more than a \
                tenth of a large map is missing, there is one warning, since webpack keeps the \
                names of merged chunks. If the whole map is missing, there is one error.
                """),
        examples: [
            .bad(
                "app.js", "n.u=↓e=>\"js/\"+e+\".\"+{1:\"aa\",2:\"bb\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .bad(
                "app.js",
                "n.u=↓e=>\"js/\"+({1:\"a\",2:\"b\",3:\"c\",4:\"d\",5:\"e\",6:\"f\"}[e])+\".js\"",
                "one finding: none of them was packaged"),
            .bad(
                "a.js",
                "const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[\"↓x/b.js\"])))=>i"),
            .good(
                "app.js", "n.u=e=>\"js/\"+e+\".\"+{1:\"aa\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .good(
                "app.js", "n.u=e=>1===e?\"js/1.46130387.js\":\"js/2.74130596.js\",n.p=\"static/\"",
                "the public path is wrong",
                others: ["js/1.46130387.js": "", "js/2.74130596.js": ""]),
            .good("app.js", "n.u=e=>other(e)+{1:\"aa\"}[e]", "not evaluated, so not reported"),
        ],
        document: { document, sink in
            let chunks = document.scriptReferences(.chunk).filter {
                !ChunkMap.isElsewhere($0, in: document.site)
            }
            sink.reportMisses(document.scriptReferences(.preloadDependency), in: document)
            guard let gone = ChunkMap.manyGone(chunks), let first = gone.first else {
                return sink.reportMisses(chunks, in: document)
            }
            // Names of merged chunks are part of a map; a map without any packaged chunk was not
            // packaged.
            let isAll = gone.count == document.scriptReferences(.chunk).count
            sink.report(
                first,
                "\(gone.count) of the \(chunks.count) chunks in this map are not in the package",
                notes: gone.prefix(5).map(\.text)
                    + (isAll
                        ? [] : ["webpack keeps the names of chunks that it merged into others"]),
                severity: isAll ? .error : .warning)
        })
}

private enum ChunkMap {
    /// The number of files that are compared with a chunk's name.
    private static let mostAlike = 100

    /// Whether the package has the chunk's file under another path: js-public-path reports the
    /// public path, which a server or a script sets.
    static func isElsewhere(_ chunk: Reference, in site: SiteIndex) -> Bool {
        guard chunk.resolution.isMiss, let name = chunk.resolution.url?.pathComponents.last else {
            return false
        }
        let files = site.listing.indices(named: name)
        if ContentHash.isIn(Array(name)) { return !files.isEmpty }
        // A hash without a letter looks like a number; the path within the build is enough.
        let written = chunk.value[...].prefix { $0 != UInt8(ascii: "?") }
        return written.contains(UInt8(ascii: "/"))
            && files.prefix(mostAlike).contains {
                site.path($0).bytes.suffix(written.count) == written
            }
    }

    /// The missing chunks where they are more than a slip: over a tenth of a large map.
    static func manyGone(_ chunks: [Reference]) -> [Reference]? {
        let gone = chunks.filter(\.resolution.isMiss)
        return gone.count > 5 && gone.count * 10 > chunks.count ? gone : nil
    }
}
