import PackWeb

extension Rule {
    /// A chunk in the bundler's map that is not packaged.
    static let jsChunkMissing = Rule(
        "js-chunk-missing", "a chunk that the bundler may load is not in the package",
        group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Expands webpack's maps of chunk names, and looks up every file in them, in Vite's \
                list of preloads, in Parcel's manifest and in the data that Next.js streams.
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
                The function that composes the names is evaluated for each chunk that its tables \
                list and, if it needs no table, for each chunk that a script asks for with a \
                literal (`n.e(358)`, `n.p + n.u(790)` of a worker). Chunks that the runtime leaves \
                out (`n.f.j`) are not looked up. A function that contains more than literals, \
                tables and conditions is skipped. The names of style sheets are read in the same \
                way, and so is a script's address that is composed in place (`s.src = "/js/" + \
                {…}[e] + ".js"`). If more than a tenth of a large map is missing, there is one \
                warning, since webpack keeps the names of merged chunks. If the whole map is \
                missing, there is one error. Chunks in another directory are left to \
                js-public-path.
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
            .bad(
                "app.js",
                "n.u=↓e=>e+\".chunk.js\";m=()=>n.e(358).then(a);k=()=>n.e(\"b\").then(a);n.p=\"\"",
                "named by a literal call", others: ["b.chunk.js": ""]),
            .bad(
                "app.js",
                "n.u=↓e=>e+\".a1b2.js\";w=new Worker(new URL(n.p+n.u(\"790\"),n.b));n.p=\"\"",
                "a worker, whose chunk is named without the function that loads it"),
            .bad(
                "runtime.js", "n.u=↓e=>\"c/\"+e+\".js\",n.p=\"/\"", "called in another file",
                others: [
                    "c/1.js": "(self.webpackChunk=self.webpackChunk||[]).push([[1],{2:()=>n.e(7)}])"
                ]),
            .bad(
                "app.js",
                "s.src=↓function(e){return n.p+\"js/\"+({}[e]||e)+\".\"+{1:\"aa\",2:\"bb\"}[e]+\".js\"}(e),n.p=\"/\"",
                "webpack 4", others: ["js/1.aa.js": ""]),
            .bad(
                "app.js", "s.src=↓n.p+\"\"+e+\".\"+{0:\"aa\",1:\"bb\"}[e]+\".js\";n.p=\"/\"",
                "webpack 3", others: ["0.aa.js": ""]),
            .bad(
                "app.js",
                "function load(e){s.src=↓\"/js/\"+({1:\"a\",2:\"b\"}[e]||e)+\".\"+{1:\"aa\",2:\"bb\"}[e]+\".js\"}",
                "composed in place", others: ["js/a.aa.js": ""]),
            .good(
                "app.js",
                "n.u=e=>\"js/\"+{1:\"aa\"}[e]+\".js\",n.p=\"\";n.p=window.ASSETS||\"https://unpkg.com/\".concat(v)",
                "from another host, which js-public-path reports"),
            .good("app.js", "s.src=\"/img/\"+{1:\"aa\"}[e]+\".png\"", "no script"),
            .good("app.js", "s.src=\"/js/\"+{1:\"aa\"}[e]+q+\".js\"", "not evaluated"),
            .good(
                "app.js",
                "n.u=e=>\"js/\"+{1:\"aa\",22:\"bb\"}[e]+\".js\";n.f.j=(e,t)=>{var r=i[e];if(0!==r)if(!/^(3|2[2-4])$/.test(e)){l(n.p+n.u(e))}else i[e]=0};n.p=\"/\"",
                "the runtime leaves out a merged chunk", others: ["js/aa.js": ""]),
            .good(
                "app.js",
                "n.u=e=>e+\".js\";n.f.j=(e,t)=>{if(\"666\"!=e){l(n.u(e))}else i[e]=0};n.e(666);n.p=\"/\"",
                "the same for one chunk"),
            .bad(
                "app.js",
                "r[e]?t.push(r[e]):0!==r[e]&&{1:1,2:1}[e]&&t.push(r[e]=new Promise((function(t,n){for(var i=↓\"css/\"+{1:\"aa\",2:\"bb\",3:\"31d6\"}[e]+\".css\",o=a.p+i,u=0;u<9;u++){}})));a.p=\"/\"",
                "a style sheet of webpack 4; chunk 3 has none", others: ["css/aa.css": ""]),
            .good(
                "worker.js", "n.u=e=>e+\".9a0b1c2d.js\",n.p=\"/\"",
                "the number is a chunk of another run-time",
                others: [
                    "main.js":
                        "n.u=e=>\"js/\"+{7:\"aa\"}[e]+\".js\",n.p=\"/\";(self.webpackChunk=self.webpackChunk||[]).push([[1],{2:()=>n.e(7)}])",
                    "js/aa.js": "",
                ]),
            .good(
                "app.js", "n.u=e=>e+\".js\",n.p=\"/\"", "a page loads the chunk under its own name",
                others: [
                    "vendor.js":
                        "(self.webpackChunk=self.webpackChunk||[]).push([[5,\"a\"],{1:()=>n.e(5)}])"
                ]),
            .good(
                "index.html",
                "<script>self.__next_f.push([1,'1:I[9,[\"9\",\"/app/_next/static/chunks/a-1.js\"],\"\"]'])</script>",
                "a wrong root, which another rule reports",
                others: ["_next/static/chunks/a-1.js": ""],
                profile: .pathStrict.with(host: "www.example.com")),
            .good(
                "app.js",
                "const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[\"./gone-1a.js\"])))=>i;p(()=>import(\"./gone-1a.js\"),__vite__mapDeps([0]),import.meta.url)",
                "js-dynamic-import reports it"),
            .good("app.js", "n.u=e=>other(e)+{1:\"aa\"}[e]", "not evaluated, so not reported"),
        ],
        document: { document, sink in
            let publicPath =
                document.facts(.publicPath).first {
                    $0.fact.extent == .whole && $0.fact.detail != "vite"
                }?.fact.value ?? []
            let names = document.facts(.chunk).reduce(into: Set<Int>()) {
                if ["next", "parcel"].contains($1.fact.detail) {
                    $0.insert($1.range.lowerBound)
                }
            }
            let all = document.scriptReferences(.chunk)
            // Each page of Next.js lists what it shares with the others.
            sink.reportMisses(
                all.filter {
                    names.contains($0.range.lowerBound)
                        && !ScriptAsset.isElsewhere($0.value, in: document.site)
                        && RootCheck.found($0.resolution, in: document.site) == nil
                }, in: document, byURL: true)
            let chunks = all.filter {
                !names.contains($0.range.lowerBound)
                    && !ChunkMap.isElsewhere($0, below: publicPath, in: document.site)
            }
            // What the script imports by the same URL is one finding, there.
            let imported = Set(
                document.scriptReferences(.dynamicImport).compactMap {
                    $0.resolution.url?.serialized()
                })
            sink.reportMisses(
                document.scriptReferences(.preloadDependency).filter {
                    $0.resolution.url.map { !imported.contains($0.serialized()) } ?? true
                }, in: document)
            guard let gone = ChunkMap.manyGone(chunks), let first = gone.first else {
                return sink.reportMisses(chunks, in: document)
            }
            // Names of merged chunks are part of a map; a map without any packaged chunk was not
            // packaged.
            let isAll = gone.count == all.count - names.count
            sink.report(
                first,
                "\(gone.count) of the \(chunks.count) chunks in this map are not in the package",
                notes: gone.prefix(5).map(\.text)
                    + (isAll
                        ? [] : ["webpack keeps the names of chunks that it merged into others"]),
                severity: isAll ? .error : .warning)
        },
        site: { context, sink in
            guard let (file, map) = ChunkMap.onlyOpen(context) else { return }
            let missing = ChunkMap.called(of: map, context).filter { name in
                context.site.resolver.resolve(map.publicPath + name, from: map.base).isMiss
                    && !ScriptAsset.isElsewhere(name, in: context.site)
            }
            guard let first = missing.first else { return }
            sink.report(
                file: file, at: map.range, "'\(printable(first))' is not in the package",
                notes: missing.count == 1 ? [] : ["\(missing.count - 1) more chunks of this map"])
        })
}

enum ChunkMap {
    /// The map that the chunk numbers in all scripts belong to.
    ///
    /// They mean chunks of a map only if no other run-time has one, and a worker's has its own.
    static func onlyOpen(_ context: SiteContext) -> (file: Int, map: DocumentSummary.OpenMap)? {
        guard context.summaries.clampedSum(of: \.runtimes) == 1,
            let summary = context.summaries.first(where: { !$0.openMaps.isEmpty })
        else { return nil }
        return summary.openMaps.first.map { (summary.index, $0) }
    }

    /// The files of a map that only other scripts ask for.
    static func called(
        of map: DocumentSummary.OpenMap, _ context: SiteContext
    ) -> [[UInt8]] {
        let own = context.summaries.first { summary in
            summary.openMaps.contains { $0.range == map.range }
        }
        let called = context.summaries.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.chunkCalls) }
        // A chunk that a page loads itself has another name: `vendor.js`.
        let defined = context.summaries.reduce(into: Set<[UInt8]>()) {
            $0.formUnion($1.definedChunks)
        }
        return called.subtracting(own?.chunkCalls ?? []).subtracting(defined).sorted {
            $0.lexicographicallyPrecedes($1)
        }
        .compactMap { map.map.name(of: $0) }
    }

    /// Whether the package has the chunk's file under another path: js-public-path reports the
    /// public path, which a server or a script sets.
    static func isElsewhere(
        _ chunk: Reference, below publicPath: [UInt8], in site: SiteIndex
    ) -> Bool {
        guard chunk.resolution.isMiss, let name = chunk.resolution.url?.pathComponents.last else {
            return false
        }
        if ContentHash.isIn(Array(name)) { return !site.listing.indices(named: name).isEmpty }
        // A hash without a letter looks like a number; the path within the build is enough.
        let isBelow = !publicPath.isEmpty && chunk.value.starts(with: publicPath)
        let written = isBelow ? Array(chunk.value.dropFirst(publicPath.count)) : chunk.value
        return (isBelow || written.contains(UInt8(ascii: "/")))
            && ScriptAsset.isElsewhere(written, in: site)
    }

    /// The missing chunks where they are more than a slip: over a tenth of a large map.
    static func manyGone(_ chunks: [Reference]) -> [Reference]? {
        let gone = chunks.filter(\.resolution.isMiss)
        return gone.count > 5 && gone.count * 10 > chunks.count ? gone : nil
    }
}
