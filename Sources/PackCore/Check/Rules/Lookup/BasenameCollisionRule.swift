import PackGround
import PackProfile

extension Rule {
    /// Two files with the same key in a flat cache.
    static let basenameCollision = Rule(
        "basename-collision", group: .lookup,
        level: .init("error if the client looks up the last component (basename-cache)") {
            $0.client.lookUp == .basename ? .error : nil
        },
        site: { context, sink in
            for pair in try SameNames.pairs(context) {
                let other = printable(context.site.path(pair.first).bytes)
                sink.report(
                    file: pair.file,
                    pair.isSame
                        ? "same name and content as '\(other)'"
                        : "same name as '\(other)'; the client keeps only one of the two",
                    severity: pair.isSame || !pair.isNeeded ? .hint : nil,
                    cause: pair.isSame ? "copies" : "names")
            }
        })

    /// The same names in apps with whole paths: one hint for all of them.
    static let basenameCacheNames = Rule(
        "basename-cache-names", group: .lookup,
        level: .init(
            "hint if the client looks up whole paths, unless it answers directories"
        ) {
            $0.client.lookUp == .path && $0.client.indexFile != .directory ? .hint : nil
        },
        site: { context, sink in
            for pair in try SameNames.pairs(context) where !pair.isSame && pair.isNeeded {
                let other = printable(context.site.path(pair.first).bytes)
                sink.report(
                    file: pair.file,
                    "same name as '\(other)': a client that stores files by name keeps one of the two",
                    cause: "names")
            }
        })
}

private enum SameNames {
    /// A file, and the first one with its name.
    struct Pair {
        let file: Int
        let first: Int
        let isSame: Bool
        let isNeeded: Bool
    }

    /// In file order by the first of each name.
    static func pairs(_ context: SiteContext) throws -> [Pair] {
        var groups: [[UInt8]: [Int]] = [:]
        let unread = SiteIndex.compressedEndings + ["map"]
        for (index, file) in context.site.files.enumerated()
        where !unread.contains(file.path.fileEnding) {
            groups[AssetPath.foldedKey(file.path.fileName[...]), default: []].append(index)
        }
        let used = Set(context.summaries.flatMap { $0.links.map(\.target) })
        var pairs: [Pair] = []
        for group in groups.values.sorted(by: { $0.first ?? 0 < $1.first ?? 0 })
        where group.count > 1 {
            guard let first = group.first else { continue }
            let isNeeded = group.contains { used.contains($0) }
            for file in group.dropFirst() {
                let digest = try context.site.digest(of: file)
                pairs.append(
                    Pair(
                        file: file, first: first,
                        isSame: try digest != nil && digest == context.site.digest(of: first),
                        isNeeded: isNeeded || !isForPeople(context.site.path(file))))
            }
        }
        return pairs
    }

    /// Whether pages only load files of this type by an explicit reference.
    private static func isForPeople(_ path: AssetPath) -> Bool {
        ["", "md", "txt", "rst", "yml", "yaml", "toml", "ts", "tsx", "jsx", "scss", "less", "vue"]
            .contains(path.fileEnding)
    }
}
