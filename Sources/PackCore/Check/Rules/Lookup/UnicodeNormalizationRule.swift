extension Rule {
    /// Two Unicode spellings of one name.
    static let unicodeNormalization = Rule(
        "unicode-normalization", "a name is in another Unicode normal form", group: .lookup,
        level: .always(.error), fix: .unsafe,
        explanation: .init(
            what: """
                Finds files whose names are not in normal form C, and references that differ from \
                a file's name only in the normal form.
                """,
            why: """
                `é` can be one character or two. macOS tools store two, pages usually contain one; \
                a client that compares bytes does not find the file.
                """,
            sources: [
                .cite(.mjtsai, "APFS of iOS 10.3 \"treats all files as a bag of bytes\""),
                .proof("unicode-normalization"),
            ],
            instead: "Use ASCII file names.",
            detection: "Names are compared as bytes, then after normalization."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓caf%C3%A9.png\">", others: ["cafe\u{301}.png": ""],
                profile: .pathStrict),
            .bad("cafe\u{301}.png", "", "the file itself"),
            .good(
                "index.html", "<img src=\"caf%C3%A9.png\">", others: ["caf\u{E9}.png": ""],
                profile: .pathStrict),
        ],
        document: misses { cause, reference, document in
            guard case .normalization(let file) = cause else { return nil }
            let path = document.site.path(file)
            return FaultReport(
                message: "the file '\(printable(path.bytes))' is in another Unicode normal form",
                meant: ReferenceAddress.of(path, insteadOf: reference, in: document.site),
                safety: .unsafe)
        },
        site: { context, sink in
            for (index, file) in context.site.files.enumerated()
            where file.path.portabilityProblem == .notComposed {
                sink.report(file: index, "the name is not in Unicode normal form C")
            }
        })
}
