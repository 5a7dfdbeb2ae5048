import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A bundler that loads its chunks from the network, or from a directory without them.
    static let jsPublicPath = Rule(
        "js-public-path", group: .script, level: .packagedPages(.error),
        document: { document, sink in
            for fact in document.facts(.publicPath) where fact.isElsewhere(document) {
                // A value that the page can override is only a default.
                sink.report(
                    at: fact.range,
                    "chunks are loaded from '\(fact.text)', not from the package",
                    severity: fact.fact.extent == .prefix && fact.fact.form == .webpack
                        ? .warning : nil, cause: fact.text)
            }
            for fact in document.facts(.publicPath) where !fact.isElsewhere(document) {
                guard let count = PublicPath.filesElsewhere(fact, in: document) else { continue }
                sink.report(
                    at: fact.range,
                    "the package has no file at '\(fact.text)', the path from which the bundler loads",
                    notes: count == 1 ? [] : ["\(count) files of this script are requested there"],
                    severity: fact.fact.form == .vite && !document.preloads.hasSheet
                        ? .warning : nil,
                    cause: fact.text,
                    setting: PublicPath.isRoot(fact, in: document)
                        ? SettingProposal("profile.root", fact.text) : nil)
            }
        },
        site: { context, sink in
            let preloads = context.summaries.clampedSum { $0.preloads.count }
            let hasSheet = context.summaries.contains { $0.preloads.hasSheet }
            for summary in context.summaries where preloads > 0 {
                guard let base = summary.preloadBase else { continue }
                let path = printable(base.path)
                sink.report(
                    file: summary.index, at: base.range,
                    "the package has no file at '\(path)', the path from which the bundler loads",
                    notes: preloads == 1 ? [] : ["\(preloads) files are preloaded from there"],
                    severity: hasSheet ? nil : .warning, cause: path)
            }
            guard let (file, map) = ChunkMap.onlyOpen(context), let range = map.publicPathRange,
                map.publicPath.count > 1, Reference.scheme(of: map.publicPath) == nil
            else { return }
            let names = ChunkMap.called(of: map, context)
            guard !names.isEmpty,
                names.allSatisfy({
                    context.site.resolver.resolve(map.publicPath + $0, from: map.base).isMiss
                }), names.contains(where: { ScriptAsset.isElsewhere($0, in: context.site) })
            else { return }
            let path = printable(map.publicPath)
            sink.report(
                file: file, at: range,
                "the package has no file at '\(path)', the path from which the bundler loads",
                notes: names.count == 1 ? [] : ["\(names.count) chunks are asked for there"])
        })
}

extension ScriptFact {
    /// Whether a public path has a host, as `https://cdn.example.com/` or `//cdn.example.com/`,
    /// that the handler does not answer.
    fileprivate func isElsewhere(_ document: DocumentContext) -> Bool {
        guard isWeb || Reference.isProtocolRelative(fact.value) else { return false }
        return !document.profile.isIntercepted
            || document.resolve(fact.value).outcome == .otherOrigin
    }
}

extension DocumentContext {
    /// The packaged files in the lists for Vite's preload helper.
    ///
    /// The helper waits only for style sheets; scripts are imported by an address of their own.
    var preloads: (count: Int, hasSheet: Bool) {
        var found = (count: 0, hasSheet: false)
        for reference in references where reference.kind == .script(.preloadDependency) {
            guard let file = reference.resolution.file else { continue }
            found.count += 1
            if site.files[file].kind == .css { found.hasSheet = true }
        }
        return found
    }
}

private enum PublicPath {
    /// Whether the package has the files if its root is served under this path.
    static func isRoot(_ fact: ScriptFact, in document: DocumentContext) -> Bool {
        let path = fact.fact.value
        guard document.profile.client.lookUp == .path, path.count > 1,
            path.first == UInt8(ascii: "/"), path.last == UInt8(ascii: "/"),
            Placeholder.find(in: path) == nil, printable(path).utf8.elementsEqual(path)
        else { return false }
        return document.scriptReferences(.chunk, .publicAsset, .preloadDependency).contains {
            let value =
                $0.value.starts(with: path) ? Array($0.value.dropFirst(path.count)) : $0.value
            return document.site.listing.index(of: value) != nil
        }
    }

    /// The number of files requested below the public path, if all of them are at other paths.
    static func filesElsewhere(_ fact: ScriptFact, in document: DocumentContext) -> Int? {
        if fact.fact.form == .vite {
            let path = fact.fact.value
            let files = document.scriptReferences(.preloadDependency)
            guard fact.fact.extent == .prefix, path.count > 1, !document.hasFiles(below: path),
                files.contains(where: { $0.resolution.file != nil })
            else { return nil }
            return files.count
        }
        guard fact.fact.extent == .whole, fact.fact.value.count > 1 else { return nil }
        let files = document.scriptReferences(.chunk, .publicAsset)
        guard !files.isEmpty, files.allSatisfy(\.resolution.isMiss),
            files.contains(where: {
                ChunkMap.isElsewhere($0, below: fact.fact.value, in: document.site)
            })
        else { return nil }
        return files.count
    }
}
