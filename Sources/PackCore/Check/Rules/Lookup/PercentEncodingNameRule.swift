import PackGround
import PackProfile

extension Rule {
    /// A name not found by clients without URL decoding.
    static let percentEncodingName = Rule(
        "percent-encoding-name", group: .lookup,
        level: .init("error if the client does not decode URLs (basename-cache)") {
            $0.client.decodesPercent ? nil : .error
        }, fix: .unsafe,
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
            // References to the file by its encoded name are already reported.
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
