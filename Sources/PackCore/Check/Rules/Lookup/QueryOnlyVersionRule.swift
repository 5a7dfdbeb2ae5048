import PackGround
import PackProfile

extension Rule {
    /// A version in the query only.
    static let queryOnlyVersion = Rule(
        "query-only-version", group: .lookup,
        level: .init("warning if the client skips files it has (basename-cache)") {
            $0.client.skipsExisting ? .warning : nil
        }, fix: .unsafe,
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
