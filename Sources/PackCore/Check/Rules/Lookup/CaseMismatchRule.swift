extension Rule {
    /// A name in another case than the file's.
    static let caseMismatch = Rule(
        "case-mismatch", "a file is there in another case", group: .lookup, level: .always(.error),
        fix: .safe,
        explanation: .init(
            what: "Finds URLs that would find a file if capitals did not count.",
            why: """
                The disk of a Mac and of the Simulator ignores case, that of an iPhone does not: the \
                page works for everybody who tries it, and for nobody else.
                """,
            source: "APFS on iOS is case-sensitive (Apple File System FAQ); ionic-framework 4360",
            instead: "Write the name as the file has it.",
            detection: "Names are compared as bytes, then after case folding."),
        examples: [
            .bad("index.html", "<img src=\"↓Logo.png\">", others: ["logo.png": ""]),
            .bad(
                "index.html", "<img src=\"↓customscheme://www.example.com/IMG/logo.PNG?v\">",
                others: ["img/logo.png": ""], profile: .pathStrict.with(host: "www.example.com")),
            .good("index.html", "<img src=\"logo.png\">", others: ["logo.png": ""]),
        ],
        document: misses { cause, reference, document in
            guard case .letterCase(let file) = cause else { return nil }
            let path = document.site.path(file)
            return FaultReport(
                message: "the file is called '\(printable(path.bytes))'",
                meant: ReferenceAddress.of(path, insteadOf: reference, in: document.site))
        })
}
