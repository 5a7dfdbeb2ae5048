import PackProfile
import PackWeb

extension Rule {
    /// A worker with a custom URL in an https page.
    static let workerCrossOrigin = Rule(
        "worker-cross-origin", group: .script, level: .securePages(.error),
        document: { document, sink in
            for fact in document.facts(.worker, .importScripts)
            where fact.spells(document.profile.canonicalScheme) {
                sink.report(at: fact.range, "'\(fact.text)' has another web origin than the page")
            }
        })
}
