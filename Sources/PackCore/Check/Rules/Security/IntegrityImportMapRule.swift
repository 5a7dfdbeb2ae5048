extension Rule {
    /// Hashes in import maps.
    static let integrityImportMap = Rule(
        "integrity-importmap", "the import map demands a hash that the module does not have",
        group: .security, level: .always(.error), fix: .safe,
        explanation: .init(
            what:
                "Compares the `integrity` of an import map with the hashes of the packaged modules.",
            why: """
                A module with other bytes is thrown away, and with it every module that imports it: the \
                page stays empty.
                """,
            source: """
                HTML standard, "import map parse result" (integrity); proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/integrity-importmap)
                """,
            instead: "Compute the hashes last; the fix writes that of the packaged bytes.",
            detection: """
                The map is read as JSON; each URL of its `integrity` that finds a packaged file is \
                compared.
                """),
        examples: [
            .bad(
                "index.html",
                """
                <script type="importmap">{"imports": {"a": "./a.js"}, "integrity": {"./a.js": \
                "↓sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="}}</script>
                """, others: ["a.js": "changed"]),
            .good(
                "index.html",
                """
                <script type="importmap">{"integrity": {"./a.js": \
                "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="}}</script>
                """, others: ["a.js": "abc"]),
        ],
        document: { document, sink in
            guard let html = document.html else { return }
            for fragment in html.fragments where fragment.kind == .importMap {
                let text = fragment.decoded(in: document.bytes.span)
                var position = 0
                var hidden = 0
                for (url, value) in ImportMapIntegrity.entries(text.bytes) {
                    let integrity = SubresourceIntegrity(value.utf8)
                    guard let strongest = integrity.strongest,
                        let file = document.resolve(Array(url.utf8)).file,
                        let digest = document.site.integrityDigest(of: file, strongest),
                        !integrity.accepts(digest: digest)
                    else { continue }
                    let right = strongest.expression(digest: digest)
                    let place =
                        hidden < ImportMapIntegrity.mostHidden
                        ? ImportMapIntegrity.range(of: value, in: text.bytes, from: position) : nil
                    if place == nil { hidden += 1 }
                    position = place?.upperBound ?? position
                    let range = place.map { text.sourceRange(of: $0) }
                    sink.report(
                        at: range ?? fragment.range,
                        "'\(printable(document.site.path(file).bytes))' has another hash: browsers "
                            + "throw it away",
                        notes: ["its \(strongest.rawValue) hash is \(right)"],
                        fix: range.map {
                            Fix(
                                .safe, "write the file's hash",
                                edits: [ByteEdit($0, Array(right.utf8))])
                        })
                }
            }
        })
}

private enum ImportMapIntegrity {
    /// After so many values that were looked for in vain no other is.
    static let mostHidden = 8

    static func entries(_ text: [UInt8]) -> [(url: String, value: String)] {
        guard case .object(let members)? = try? JSONParser.parse(text),
            case .object(let entries)? = members.first(where: { $0.name == "integrity" })?.value
        else { return [] }
        return entries.compactMap { member in
            guard case .string(let value) = member.value else { return nil }
            return (member.name, value)
        }
    }

    /// Where a value stands; `nil` where JSON escapes hide it.
    static func range(of value: String, in text: [UInt8], from start: Int) -> Range<Int>? {
        let word = Array(value.utf8)
        let end = text.count - word.count
        guard !word.isEmpty, start <= end else { return nil }
        return (start...end).first { text[$0...].starts(with: word) }.map {
            $0..<($0 + word.count)
        }
    }
}
