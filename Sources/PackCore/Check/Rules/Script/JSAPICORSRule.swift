import PackProfile
import PackWeb

extension Rule {
    /// An API on another web origin.
    static let jsAPICORS = Rule(
        "js-api-cors", group: .script,
        level: .packagedPages(.hint),
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource) {
                guard fact.fact.extent != .part, let host = fact.webHost, seen.insert(host).inserted
                else {
                    continue
                }
                let origin = "\(document.profile.scheme)://\(document.profile.pageHost)"
                sink.report(
                    at: fact.range, "'\(host)' must allow the web origin '\(origin.lowercased())'")
            }
        })
}
