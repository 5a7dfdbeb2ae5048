import PackProfile
import PackWeb

extension Rule {
    /// Storage not shared between web origins.
    static let jsStorageOrigin = Rule(
        "js-storage-origin", group: .script,
        level: .init("warning if pages are switched by user agent") {
            $0.pageOrigin == .dual ? .warning : nil
        },
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.storage) where seen.insert(fact.fact.detail).inserted {
                sink.report(
                    at: fact.range,
                    "the https page has no access to the data that \(fact.fact.detail) stores here")
            }
        })
}
