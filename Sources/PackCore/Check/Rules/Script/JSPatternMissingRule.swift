import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A composed address that no file fits.
    static let jsPatternMissing = Rule(
        "js-pattern-missing", group: .script, level: .always(.warning),
        document: { document, sink in
            var seen: Set<[[UInt8]]> = []
            let facts = document.facts(
                .asset, .dynamicImport, .worker, .importScripts, .fetch, .request, .ajax,
                .moduleURL, .unread, .literal)
            for fact in facts where !fact.fact.pattern.isEmpty && fact.fact.extent != .whole {
                guard let pattern = PathPattern(fact.fact.pattern),
                    seen.insert(fact.fact.pattern).inserted,
                    let severity = ComposedAddress.severity(pattern, fact, in: document.site)
                else { continue }
                sink.report(
                    at: fact.range,
                    "no file of the package fits '\(pattern.description)'",
                    notes: ["a script composes the address; '…' is what it adds"],
                    severity: fact.isHarmless ? .hint : severity)
            }
        })
}

private enum ComposedAddress {
    /// The severity; `nil` if the package has a file that fits, or a server may answer.
    static func severity(
        _ pattern: PathPattern, _ fact: ScriptFact, in site: SiteIndex
    ) -> Severity? {
        let directory = pattern.directory
        let hasDirectory = !directory.isEmpty && site.directories.contains(Array(directory))
        switch fact.fact.kind {
        case .fetch, .request, .ajax:
            guard hasDirectory || pattern.kind.isAsset else {
                return nil
            }
        case .literal:
            // Routes and addresses of servers start with a slash.
            let isRelative = fact.fact.value.first != UInt8(ascii: "/")
            guard hasDirectory || isRelative && !directory.isEmpty && pattern.kind.isAsset else {
                return nil
            }
        default: break
        }
        guard hasDirectory || pattern.knownBytes > 2, !pattern.fits(in: site) else { return nil }
        return .warning
    }
}
