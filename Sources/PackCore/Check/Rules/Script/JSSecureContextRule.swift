import PackProfile
import PackWeb

extension Rule {
    /// An API restricted to secure contexts on older systems.
    static let jsSecureContext = Rule(
        "js-secure-context", group: .script,
        level: .init(
            """
            warning if the minimum iOS is older than 15 and pages are loaded over the \
            custom scheme
            """
        ) { $0.mayBeInsecure ? .warning : nil },
        document: { document, sink in
            var seen: Set<String> = []
            for fact in document.facts(.secureContext)
            where !fact.isHarmless && seen.insert(fact.fact.detail).inserted {
                sink.report(
                    at: fact.range, "this object does not exist before iOS 15", cause: "iOS")
            }
        })
}
