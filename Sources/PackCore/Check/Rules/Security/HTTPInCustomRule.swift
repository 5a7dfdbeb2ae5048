import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// Subresources over plain http.
    static let httpInCustom = Rule(
        "http-in-custom", group: .security, level: .customPages(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched && reference.isEffective
                && reference.writtenScheme == Array("http".utf8)
            {
                let isLocal = reference.resolution.url?.host?.isLocal ?? false
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference, "App Transport Security blocks '\(reference.text)'",
                    fix: isLocal
                        ? nil : document.safeFix(reference, to: "https" + value.dropFirst(4)))
            }
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource)
            where fact.fact.extent != .part && fact.spells(Array("http".utf8)) {
                // A prefix may end within the host.
                guard fact.fact.extent == .whole || fact.hasWholeHost,
                    let host = URLRecord.parse(fact.fact.value)?.host, !host.isLocal
                else { continue }
                let name = String(decoding: host.serialized, as: UTF8.self)
                sink.report(
                    at: fact.range, "App Transport Security blocks requests to 'http://\(name)'",
                    severity: fact.isHarmless ? .hint : nil, cause: "requests to \(name)")
            }
        })
}
