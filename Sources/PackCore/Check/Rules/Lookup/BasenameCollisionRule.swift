extension Rule {
    /// Two files that a flat cache cannot keep apart.
    static let basenameCollision = Rule(
        "basename-collision", "two files have one name, and the client keeps names only",
        group: .lookup,
        level: .init("error where the client looks up the last component (seed003)") {
            $0.client.lookUp == .basename ? .error : nil
        },
        explanation: .init(
            what: "Finds files in different directories whose last path components are the same.",
            why: """
                The client stores and finds files by the last component of their URL alone, all in one \
                directory: of 'en/logo.png' and 'zh/logo.png' only one survives, and both pages show it.
                """,
            source: "S003 (contentsOfDirectoryAtPath, lastPathComponent), rules section 1.2",
            instead: "Let the bundler put a content hash into the name: 'logo.3f9c2a71.png'.",
            detection: """
                Files are grouped by their last component after case folding and Unicode normalisation; \
                files with the same bytes are no harm and count as advice.
                """),
        examples: [
            .bad(
                "en/logo.png", "english", "the names meet in the flat directory",
                others: ["zh/logo.png": "chinese"]),
            .bad(
                "en/logo.png", "same", "equal bytes: only advice", others: ["zh/logo.png": "same"]),
            .good("en/logo.1.png", "english", others: ["zh/logo.2.png": "chinese"]),
            .good(
                "en/logo.png", "english", "a client that looks up whole paths keeps them apart",
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
                            ? "it has the name of '\(other)', and the same content"
                            : "it has the name of '\(other)': the client keeps one of the two",
                        severity: isSame ? .info : nil)
                }
            }
        })
}
