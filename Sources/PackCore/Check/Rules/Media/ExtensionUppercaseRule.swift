extension Rule {
    /// File extensions in capital letters.
    static let extensionUppercase = Rule(
        "extension-uppercase",
        """
        the file extension has capital letters
        """, group: .media, level: .always(.hint),
        explanation: .init(
            what: "Finds file extensions such as `.PNG` and `.JS`.",
            why: """
                A handler with its own table of types compares extensions exactly, and names that \
                differ only in case are one file on macOS.
                """,
            sources: [.cite(.ruleStudy)],
            instead: "Write extensions in lower case.",
            detection: "The bytes after the last dot of the file name are checked."),
        examples: [
            .bad("photo.JPG", "x"), .good("photo.jpg", "x"), .good("README", "x"),
        ],
        site: { context, sink in
            for (index, file) in context.site.files.enumerated() {
                let name = file.path.fileName
                guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0,
                    name[dot...].contains(where: { (0x41...0x5A).contains($0) })
                else { continue }
                sink.report(
                    file: index, "the extension '\(printable(name[dot...]))' has capital letters")
            }
        })
}
