extension Rule {
    /// A version that is only in the query.
    static let queryOnlyVersion = Rule(
        "query-only-version", "a file's version is only in the query", group: .lookup,
        level: .init("warning where the client skips files it has (seed003)") {
            $0.client.skipsExisting ? .warning : nil
        }, fix: .unsafe,
        explanation: .init(
            what: "Finds `app.js?v=2` where the file name does not change with the content.",
            why: """
                The client ignores the query: the old and the new file have one name, the client \
                considers it already downloaded, and the page never changes. Two versions of one \
                name in a package are one file on the device.
                """,
            sources: [
                .cite(.s003, "rule 3 of the update"), .cite(.workbox, "dontCacheBustURLsMatching"),
                .proof("query-only-version"),
            ],
            instead: "Have the bundler add a content hash to the name.",
            detection: """
                The queries of URLs that find a packaged file are checked; two different queries \
                for one file are an error. Names with a content hash are skipped.
                """),
        examples: [
            .bad("index.html", "<script src=\"↓app.js?v=2\"></script>", others: ["app.js": ""]),
            .bad(
                "index.html",
                "<script src=\"↓app.js?v=1\"></script><script src=\"↓app.js?v=2\"></script>",
                others: ["app.js": ""]),
            .good(
                "index.html",
                "<script src=\"app.3f9c2a71.js?v=2\"></script><style>@font-face{src:url(f.eot?#iefix)}</style>",
                others: ["app.3f9c2a71.js": "", "f.eot": ""]),
        ],
        site: { context, sink in
            var queries: [Int: Set<[UInt8]>] = [:]
            for summary in context.summaries {
                for link in summary.links where QueryVersion.counts(link) {
                    queries[link.target, default: []].insert(QueryVersion.query(link.url))
                }
            }
            for summary in context.summaries {
                for link in summary.links where QueryVersion.counts(link) {
                    guard !QueryVersion.query(link.url).isEmpty,
                        !ContentHash.isIn(context.site.path(link.target).fileName)
                    else { continue }
                    let versions = queries[link.target, default: []].filter { !$0.isEmpty }
                    let isOne = versions.count < 2
                    sink.report(
                        file: summary.index, at: link.range,
                        isOne
                            ? "the client ignores the query, so it never downloads a new version"
                            : "\(versions.count) versions of one name are one file on the device",
                        severity: link.traits.contains(.inNoscript)
                            ? .hint : isOne ? nil : .error)
                }
            }
        })
}

private enum QueryVersion {
    static func counts(_ link: DocumentSummary.Link) -> Bool {
        link.isFromPackage && link.use.isFetched && !link.traits.contains(.ineffective)
    }

    static func query(_ url: [UInt8]) -> [UInt8] {
        guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return Array(url[(mark + 1)...])
    }
}
