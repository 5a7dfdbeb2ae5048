import PackGround

extension Rule {
    /// File extensions in capital letters.
    static let extensionUppercase = Rule(
        "extension-uppercase", group: .media, level: .always(.hint),
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
