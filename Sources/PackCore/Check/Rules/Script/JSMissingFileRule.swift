extension Rule {
    /// A custom URL in a script that finds no file.
    static let jsMissingFile = Rule(
        "js-missing-file",
        "a custom URL in a script names a file that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds strings in scripts that are a custom URL with a file name for which the \
                package has no file.
                """,
            why: """
                The handler cannot answer, so the image or chunk that the script needs is missing.
                """,
            sources: [.cite(.ruleStudy, "client model")],
            instead: "Package the file, or write the URL under which it is packaged.",
            detection: """
                Only whole strings whose last component has an extension are looked up. Values in \
                variables are not known.
                """),
        examples: [
            .bad("app.js", "x = \"↓customscheme://www.example.com/gone.js\""),
            .good("app.js", "x = \"customscheme://www.example.com/a.js\"", others: ["a.js": ""]),
            .good(
                "app.js", "x = \"customscheme://www.example.com/\" + name", "a prefix, not a file"),
        ],
        document: { document, sink in
            let scheme = document.profile.canonicalScheme
            sink.reportMisses(
                document.scriptReferences(.literal, .newURL, .moduleURL).filter {
                    $0.writtenScheme == scheme
                        && $0.resolution.lookedUp?.contains(UInt8(ascii: ".")) == true
                }, in: document)
        })
}
