extension Rule {
    /// A name that a client without URL decoding cannot find.
    static let percentEncodingName = Rule(
        "percent-encoding-name",
        """
        a file name must be percent-encoded in URLs, but the client does not decode
        """,
        group: .lookup,
        level: .init("error where the client does not decode URLs (seed003)") {
            $0.client.decodesPercent ? nil : .error
        }, fix: .unsafe,
        explanation: .init(
            what: """
                Finds references to files whose names contain a space, non-ASCII characters or one \
                of `% # ? " < > { }`, and warns about such files that nothing refers to.
                """,
            why: """
                A URL cannot contain these characters: the browser sends `a%20b.png`, and a client \
                that does not decode URLs looks for a file with that name.
                """,
            sources: [
                .cite(.s003, "absoluteString"), .cite(.ruleStudy, "client model"),
                .proof("percent-encoding-name"),
            ],
            instead: "Use only letters, digits, `.`, `_`, `~` and `-` in file names.",
            detection:
                "The lookup fails with the encoded name and would succeed with the decoded one."),
        examples: [
            .bad("index.html", "<img src=\"↓a b.png\">", others: ["a b.png": ""]),
            .bad("index.html", "<img src=\"↓a%20b.png\">", others: ["a b.png": ""]),
            .bad("\u{56FE}.png", "", "the file alone: a warning"),
            .good("index.html", "<img src=\"a-b.png\">", others: ["a-b.png": ""]),
            .good(
                "index.html", "<img src=\"a%20b.png\">", "Capacitor decodes URLs",
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
            // A reference that finds the file by its encoded name is reported itself.
            for summary in context.summaries {
                named.formUnion(summary.links.map(\.target))
                named.formUnion(summary.missedTwins)
            }
            for (index, file) in context.site.files.enumerated() where !named.contains(index) {
                guard EncodedName.isSpecial(file.path.fileName),
                    file.path.portabilityProblem != .notComposed
                else { continue }
                sink.report(
                    file: index, "no URL finds this name with a client that does not decode URLs",
                    severity: .warning)
            }
        })
}

private enum EncodedName {
    static func isSpecial(_ name: [UInt8]) -> Bool {
        name.contains { $0 <= 0x20 || $0 >= 0x7F || "%#?\"<>`{}".utf8.contains($0) }
    }
}
