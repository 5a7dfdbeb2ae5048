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
                normalization. A group of identical files is only a hint.
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
            .good("en/logo.1.png", "english", others: ["zh/logo.2.png": "chinese"]),
            .good(
                "en/logo.png", "english", "the client looks up whole paths",
                others: ["zh/logo.png": "chinese"], profile: .pathStrict),
        ],
        site: { context, sink in
            var groups: [[UInt8]: [Int]] = [:]
            for (index, file) in context.site.files.enumerated() {
                groups[AssetPath.foldedKey(file.path.fileName[...]), default: []].append(index)
            }
            for group in groups.values where group.count > 1 {
                guard let first = group.first else { continue }
                for file in group.dropFirst() {
                    let digest = context.summaries[file].sha256
                    let isSame = digest != nil && digest == context.summaries[first].sha256
                    let other = printable(context.site.path(first).bytes)
                    sink.report(
                        file: file,
                        isSame
                            ? "same name and content as '\(other)'"
                            : "same name as '\(other)'; the client keeps only one of the two",
                        severity: isSame ? .hint : nil)
                }
            }
        })
}
