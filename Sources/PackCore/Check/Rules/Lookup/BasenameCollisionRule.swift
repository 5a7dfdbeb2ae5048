extension Rule {
    /// Two files that a flat cache cannot keep apart.
    static let basenameCollision = Rule(
        "basename-collision",
        """
        two files have the same name, and the client stores files by name only
        """,
        group: .lookup,
        level: .init("error where the client looks up the last component (seed003)") {
            $0.client.lookUp == .basename ? .error : nil
        },
        explanation: .init(
            what: "Finds files in different directories with the same last path component.",
            why: """
                The client stores and looks up files by the last component of their URL, all in \
                one directory: of `en/logo.png` and `zh/logo.png` only one survives, and both \
                pages show it.
                """,
            sources: [
                .cite(.s003, "contentsOfDirectoryAtPath, lastPathComponent"),
                .cite(.ruleStudy, "client model"), .proof("basename-collision"),
            ],
            instead: "Have the bundler add a content hash to the name: `logo.3f9c2a71.png`.",
            detection: """
                Files are grouped by their last component after case folding and Unicode \
                normalization. Identical files are only a hint, and so are notes and sources \
                that nothing refers to. Compressed copies and source maps do not count. All groups are \
                one finding.
                """),
        examples: [
            .bad(
                "en/logo.png", "english", "both names end up in one flat directory",
                others: ["zh/logo.png": "chinese"]),
            .bad(
                "en/logo.png", "same",
                """
                identical content: only a hint
                """, others: ["zh/logo.png": "same"]),
            .bad(
                "en/logo.png", "english", "one finding for all names",
                others: ["zh/logo.png": "chinese", "en/a.png": "1", "zh/a.png": "2"]),
            .bad(
                "a/README.md", "a", "nothing refers to it: a hint", others: ["b/README.md": "b"]),
            .good("en/a.js.gz", "1", "no app reads it", others: ["zh/a.js.gz": "2"]),
            .good("en/logo.1.png", "english", others: ["zh/logo.2.png": "chinese"]),
            .good(
                "en/logo.png", "english", "the client looks up whole paths: seed-client-names",
                others: ["zh/logo.png": "chinese"], profile: .pathStrict),
        ],
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

    /// The same for builds of apps that keep whole paths: one warning for all names.
    static let seedClientNames = Rule(
        "seed-client-names",
        "two files have the same name, which a client that stores files by name holds wrong",
        group: .lookup,
        level: .init(
            "warning where the client looks up whole paths, unless it answers directories"
        ) {
            $0.client.lookUp == .path && $0.client.indexFile != .directory ? .warning : nil
        },
        explanation: .init(
            what: """
                Finds files in different directories with the same last path component and other \
                content.
                """,
            why: """
                The manifest can be read by every client. One that stores files by the last \
                component of their URL, as the client of article S003 does, keeps only one of the \
                two and serves it for both. An app whose handler answers `/about/` with its \
                `index.html` keeps directories, so there the rule is off.
                """,
            sources: [.cite(.s003, "contentsOfDirectoryAtPath, lastPathComponent")],
            instead: """
                Nothing, if all your apps keep whole paths: `ignore: [seed-client-names]`. Otherwise \
                put a content hash into the names, and check with `--profile seed003`.
                """,
            detection: """
                As for `basename-collision`, without files that no page needs and without copies. \
                All names are one finding.
                """),
        examples: [
            .bad(
                "en/logo.png", "english", "one finding for all names",
                others: ["zh/logo.png": "chinese", "en/a.png": "1", "zh/a.png": "2"],
                profile: .pathStrict),
            .bad("start.json", "[1]", others: ["help/start.json": "[2]"], profile: .capacitor),
            .good(
                "en/logo.png", "same", others: ["zh/logo.png": "same"], profile: .pathStrict),
            .good("a/README.md", "a", others: ["b/README.md": "b"], profile: .pathStrict),
            .good(
                "index.html", "1", "the handler answers directories",
                others: ["about/index.html": "2"],
                profile: .pathStrict.with { $0.client.indexFile = .directory }),
            .good(
                "en/logo.png", "english", "basename-collision reports this",
                others: ["zh/logo.png": "chinese"]),
        ],
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

    /// Whether a file is one that pages do not load unless they name it.
    private static func isForPeople(_ path: AssetPath) -> Bool {
        ["", "md", "txt", "rst", "yml", "yaml", "toml", "ts", "tsx", "jsx", "scss", "less", "vue"]
            .contains(path.fileEnding)
    }
}
