import PackWeb

extension Rule {
    /// A custom URL in a script that finds no file.
    static let jsMissingFile = Rule(
        "js-missing-file",
        "a script names a file with the custom scheme that is not in the package", group: .script,
        level: .always(.error),
        explanation: .init(
            what: """
                Finds strings in scripts that are a URL of the custom scheme with a file name, \
                for which the package has no file.
                """,
            why: """
                The handler has nothing to answer with; what the script wanted, an image or a \
                chunk, does not come.
                """,
            source: "rules section 7; the same look-up as missing-file",
            instead: "Package the file, or write the URL that the build gave it.",
            detection: """
                Only whole strings whose last component has an extension are looked up. Literals \
                of scripts are read; what variables hold is not known.
                """),
        examples: [
            .bad("app.js", "x = \"↓customscheme://www.example.com/gone.js\""),
            .good("app.js", "x = \"customscheme://www.example.com/a.js\"", others: ["a.js": ""]),
            .good(
                "app.js", "x = \"customscheme://www.example.com/\" + name", "a prefix is no file"),
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
