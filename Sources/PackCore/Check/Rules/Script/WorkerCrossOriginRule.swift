import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A worker with a custom URL in an https page.
    static let workerCrossOrigin = Rule(
        "worker-cross-origin", group: .script,
        level: .init(
            "error if pages are loaded over https"
        ) { $0.hasSecurePages || $0.isIntercepted ? .error : nil },
        document: { document, sink in
            if document.profile.isIntercepted {
                for reference in document.scriptReferences(.worker) {
                    guard let url = reference.resolution.url, let page = document.url,
                        url.host != nil, !document.profile.isSameOrigin(url, page)
                    else { continue }
                    sink.report(
                        reference, "'\(reference.text)' has another web origin than the page",
                        severity: reference.traits.contains(.guarded) ? .hint : nil)
                }
                return
            }
            for fact in document.facts(.worker, .importScripts)
            where fact.spells(document.profile.canonicalScheme) {
                sink.report(at: fact.range, "'\(fact.text)' has another web origin than the page")
            }
        })
}
