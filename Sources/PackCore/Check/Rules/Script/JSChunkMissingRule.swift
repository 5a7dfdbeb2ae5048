import PackWeb

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
                anything but literals, tables and conditions is left alone. Where over a tenth of a \
                large map is missing, one warning says so: webpack keeps names of merged chunks. \
                Where all of it is, one error.
                """),
        examples: [
            .bad(
                "app.js", "n.u=↓e=>\"js/\"+e+\".\"+{1:\"aa\",2:\"bb\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .bad(
                "app.js",
                "n.u=↓e=>\"js/\"+({1:\"a\",2:\"b\",3:\"c\",4:\"d\",5:\"e\",6:\"f\"}[e])+\".js\"",
                "one finding, since none of them was packaged"),
            .bad(
                "a.js",
                "const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[\"↓x/b.js\"])))=>i"),
            .good(
                "app.js", "n.u=e=>\"js/\"+e+\".\"+{1:\"aa\"}[e]+\".js\",n.p=\"/\"",
                others: ["js/1.aa.js": ""]),
            .good(
                "app.js", "n.u=e=>1===e?\"js/1.46130387.js\":\"js/2.74130596.js\",n.p=\"static/\"",
                "the public path is what is wrong",
                others: ["js/1.46130387.js": "", "js/2.74130596.js": ""]),
            .good("app.js", "n.u=e=>other(e)+{1:\"aa\"}[e]", "not known, so not judged"),
        ],
        document: { document, sink in
            let chunks = document.scriptReferences(.chunk).filter {
                !ChunkMap.isElsewhere($0, in: document.site)
            }
            sink.reportMisses(document.scriptReferences(.preloadDependency), in: document)
            guard let gone = ChunkMap.manyGone(chunks), let first = gone.first else {
                return sink.reportMisses(chunks, in: document)
            }
            // Names of merged chunks are some of a map; a map of nothing else was not packaged.
            let isAll = gone.count == document.scriptReferences(.chunk).count
            sink.report(
                first,
                "\(gone.count) of the \(chunks.count) chunks that this map names are not in the package",
                notes: gone.prefix(5).map(\.text)
                    + (isAll
                        ? [] : ["webpack leaves the names of chunks that it merged into others"]),
                severity: isAll ? .error : .warning)
        })
}

private enum ChunkMap {
    /// So many files of a chunk's name are compared with it.
    private static let mostAlike = 100

    /// Whether the package has the chunk's file under another path: the public path, which a server
    /// or a script sets, is the business of js-public-path.
    static func isElsewhere(_ chunk: Reference, in site: SiteIndex) -> Bool {
        guard chunk.resolution.isMiss, let name = chunk.resolution.url?.pathComponents.last else {
            return false
        }
        let files = site.listing.indices(named: name)
        if ContentHash.isIn(Array(name)) { return !files.isEmpty }
        // A hash without a letter is taken for a number; the path within the build says as much.
        let written = chunk.value[...].prefix { $0 != UInt8(ascii: "?") }
        return written.contains(UInt8(ascii: "/"))
            && files.prefix(mostAlike).contains {
                site.path($0).bytes.suffix(written.count) == written
            }
    }

    /// The chunks that are missing where they are more than a slip: over a tenth of a large map.
    static func manyGone(_ chunks: [Reference]) -> [Reference]? {
        let gone = chunks.filter(\.resolution.isMiss)
        return gone.count > 5 && gone.count * 10 > chunks.count ? gone : nil
    }
}
