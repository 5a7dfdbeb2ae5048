extension Rule {
    /// A name that a client that decodes nothing cannot find.
    static let percentEncodingName = Rule(
        "percent-encoding-name", "a name has to be encoded in URLs, and the client decodes nothing",
        group: .lookup,
        level: .init("error where the client does not decode URLs (seed003)") {
            $0.client.decodesPercent ? nil : .error
        }, fix: .unsafe,
        explanation: .init(
            what: """
                Finds references to files whose names hold a space, letters outside ASCII or \
                '% # ? " < > ` { }', and warns of such files that nothing refers to.
                """,
            why: """
                A URL cannot hold these characters; the browser sends 'a%20b.png', and a client that \
                does not decode looks for a file of that name.
                """,
            source: "S003 (absoluteString); rules section 1.2",
            instead: "Name files with letters, digits, '.', '_', '~' and '-' only.",
            detection:
                "The look-up fails with the encoded name and would succeed with the decoded one."),
        examples: [
            .bad("index.html", "<img src=\"↓a b.png\">", others: ["a b.png": ""]),
            .bad("index.html", "<img src=\"↓a%20b.png\">", others: ["a b.png": ""]),
            .bad("\u{56FE}.png", "", "the file alone: a warning"),
            .good("index.html", "<img src=\"a-b.png\">", others: ["a-b.png": ""]),
            .good(
                "index.html", "<img src=\"a%20b.png\">", "Capacitor decodes",
                others: ["a b.png": ""], profile: .capacitor),
        ],
        document: misses { cause, reference, document in
            guard case .percentEncoding(let file) = cause else { return nil }
            return FaultReport(
                message: """
                    the client looks for the encoded name of \
                    '\(printable(document.site.path(file).bytes))'
                    """)
        },
        site: { context, sink in
            var named: Set<Int> = []
            // A reference that names a file by its encoded name is reported itself.
            for summary in context.summaries {
                named.formUnion(summary.links.map(\.target))
                named.formUnion(summary.missedTwins)
            }
            for (index, file) in context.site.files.enumerated() where !named.contains(index) {
                guard EncodedName.isSpecial(file.path.fileName),
                    file.path.portabilityProblem != .notComposed
                else { continue }
                sink.report(
                    file: index, "no URL finds this name with a client that decodes nothing",
                    severity: .warning)
            }
        })
}

private enum EncodedName {
    static func isSpecial(_ name: [UInt8]) -> Bool {
        name.contains { $0 <= 0x20 || $0 >= 0x7F || "%#?\"<>`{}".utf8.contains($0) }
    }
}
