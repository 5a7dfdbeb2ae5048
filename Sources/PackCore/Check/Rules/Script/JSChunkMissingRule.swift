import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A chunk in the bundler's map that is not packaged.
    static let jsChunkMissing = Rule(
        "js-chunk-missing", group: .script, level: .always(.error),
        document: { document, sink in
            let publicPath =
                document.facts(.publicPath).first {
                    $0.fact.extent == .whole && $0.fact.form != .vite
                }?.fact.value ?? []
            let names = document.facts(.chunk).reduce(into: Set<Int>()) {
                if [.next, .parcel].contains($1.fact.form) {
                    $0.insert($1.range.lowerBound)
                }
            }
            let all = document.scriptReferences(.chunk)
            // Each page of Next.js lists the chunks shared with others.
            sink.reportMisses(
                all.filter {
                    names.contains($0.range.lowerBound)
                        && !ScriptAsset.isElsewhere($0.value, in: document.site)
                        && RootCheck.found($0.resolution, in: document.site) == nil
                }, in: document, byURL: true)
            let chunks = all.filter {
                // js-public-path reports the other host.
                !names.contains($0.range.lowerBound) && !$0.isProtocolRelative
                    && !ChunkMap.isElsewhere($0, below: publicPath, in: document.site)
            }
            // Files also imported by the script are reported there.
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
            // Names of merged chunks stay in the map; a map without any packaged chunk was not
            // packaged at all.
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
    /// The map to which the chunk numbers in all scripts refer.
    ///
    /// The numbers refer to it only if no other run-time has a map; a worker's run-time has its
    /// own.
    static func onlyOpen(_ context: SiteContext) -> (file: Int, map: DocumentSummary.OpenMap)? {
        guard context.summaries.clampedSum(of: \.runtimes) == 1,
            let summary = context.summaries.first(where: { !$0.openMaps.isEmpty })
        else { return nil }
        return summary.openMaps.first.map { (summary.index, $0) }
    }

    /// The files of a map that only other scripts request.
    static func called(
        of map: DocumentSummary.OpenMap, _ context: SiteContext
    ) -> [[UInt8]] {
        let own = context.summaries.first { summary in
            summary.openMaps.contains { $0.range == map.range }
        }
        let called = context.summaries.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.chunkCalls) }
        // A chunk loaded by the page itself has another name: `vendor.js`.
        let defined = context.summaries.reduce(into: Set<[UInt8]>()) {
            $0.formUnion($1.definedChunks)
        }
        return called.subtracting(own?.chunkCalls ?? []).subtracting(defined).sorted {
            $0.lexicographicallyPrecedes($1)
        }
        .compactMap { map.map.name(of: $0) }
    }

    /// Whether the chunk is packaged at another path: js-public-path reports a public path set by a
    /// server or a script.
    static func isElsewhere(
        _ chunk: Reference, below publicPath: [UInt8], in site: SiteIndex
    ) -> Bool {
        guard chunk.resolution.isMiss, let name = chunk.resolution.url?.pathComponents.last else {
            return false
        }
        if ContentHash.isIn(Array(name)) || ContentHash.mayBeNumber(in: Array(name)) {
            return !site.listing.indices(named: name).isEmpty
        }
        // Without a hash, the path within the build is sufficient.
        let isBelow = !publicPath.isEmpty && chunk.value.starts(with: publicPath)
        let written = isBelow ? Array(chunk.value.dropFirst(publicPath.count)) : chunk.value
        return (isBelow || written.contains(UInt8(ascii: "/")))
            && ScriptAsset.isElsewhere(written, in: site)
    }

    /// The missing chunks if they are more than a tenth of a large map.
    static func manyGone(_ chunks: [Reference]) -> [Reference]? {
        let gone = chunks.filter(\.resolution.isMiss)
        return gone.count > 5 && gone.count * 10 > chunks.count ? gone : nil
    }
}
