extension Rule {
    /// Endings in capitals.
    static let extensionUppercase = Rule(
        "extension-uppercase", "the ending has capitals", group: .media, level: .always(.info),
        explanation: .init(
            what: "Finds endings such as `.PNG` and `.JS`.",
            why: """
                Handlers with a table of types of their own compare endings as they are, and names in \
                two cases meet on the disks of Macs.
                """,
            source: "rules catalogue, section 10",
            instead: "Write endings in lower case.",
            detection: "The bytes after the last dot of the file's name."),
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
                    file: index, "the ending '\(printable(name[dot...]))' has capitals")
            }
        })
}
