extension Rule {
    /// A name in another case than the file's.
    static let caseMismatch = Rule(
        "case-mismatch",
        """
        a URL and its file differ in upper and lower case
        """, group: .lookup, level: .always(.error),
        fix: .safe,
        explanation: .init(
            what: "Finds URLs that would find a file if case were ignored.",
            why: """
                The file systems of Macs and the Simulator ignore case, that of iPhones does not: \
                the page works during development and fails on devices.
                """,
            sources: [
                .cite(.appleDocs, "Apple File System Guide, FAQ"), .issue(.ionicFramework, 4360),
                .proof("case-mismatch"),
            ],
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
                message: "the file is named '\(printable(path.bytes))'",
                meant: ReferenceAddress.of(path, insteadOf: reference, in: document.site))
        })
}
