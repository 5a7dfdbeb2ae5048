import PackWeb

extension Rule {
    /// One script or style sheet with two URLs.
    static let mixedAddressing = Rule(
        "mixed-addressing", "a script is loaded by two URLs", group: .lookup,
        level: .always(.warning),
        explanation: .init(
            what: """
                Finds packaged scripts and style sheets that pages and scripts load by two \
                different URLs: with and without a query, from two hosts, or by two paths.
                """,
            why: """
                A browser identifies scripts by URL: the file is loaded and run twice, and a \
                module that exists twice has two separate states.
                """,
            sources: [
                .cite(.htmlStandard, "module map"), .cite(.ruleStudy), .proof("mixed-addressing"),
            ],
            instead: "Use one URL for each file.",
            detection:
                """
                URLs that find the same packaged file are compared as text, without fragments. A \
                file is one finding, however many URLs it has.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"a.js\"></script><script src=\"↓a.js?x\"></script>",
                others: ["a.js": ""], profile: .pathStrict),
            .good(
                "index.html", "<script src=\"a.js\"></script><script src=\"./a.js\"></script>",
                others: ["a.js": ""], profile: .pathStrict),
            .good(
                "index.html", "<img src=\"a.png\"><img src=\"a.png?x\">", "images are harmless",
                others: ["a.png": ""], profile: .pathStrict),
        ],
        site: { context, sink in
            var first: [Int: [UInt8]] = [:]
            for summary in context.summaries {
                for link in summary.links where link.isFromPackage && MixedAddressing.counts(link) {
                    guard let url = first[link.target] else {
                        first[link.target] = link.url
                        continue
                    }
                    guard url != link.url else { continue }
                    sink.report(
                        file: summary.index, at: link.range,
                        """
                        '\(printable(context.site.path(link.target).bytes))' has another URL \
                        elsewhere
                        """,
                        notes: ["here: \(printable(link.url))", "elsewhere: \(printable(url))"],
                        severity: link.traits.isDisjoint(with: [.inNoscript, .unasked])
                            ? nil : .hint,
                        cause: printable(context.site.path(link.target).bytes))
                }
            }
        })
}

private enum MixedAddressing {
    static func counts(_ link: DocumentSummary.Link) -> Bool {
        switch link.kind {
        // path-mismatch reports what is found by its name only.
        case .html(.script), .html(.moduleScript), .html(.styleSheet): link.isExact
        default: false
        }
    }
}
