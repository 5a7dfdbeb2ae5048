import PackProfile
import PackWeb

extension Rule {
    /// A service worker in a page that cannot have one.
    static let jsServiceworker = Rule(
        "js-serviceworker", group: .script,
        level: .init(
            "warning if pages are loaded over the custom scheme, or if an Android app does not answer "
                + "the request for the service worker"
        ) { $0.hasPackagedPages ? .warning : nil },
        document: { document, sink in
            for fact in document.facts(.serviceWorker) where !fact.isHarmless {
                guard let message = fact.refusal(document) else { continue }
                sink.report(
                    at: fact.range, message,
                    cause: "service worker")
            }
        })
}

extension ScriptFact {
    /// Why a service worker cannot be registered; `nil` if it can, as far as its address is known.
    fileprivate func refusal(_ document: DocumentContext) -> String? {
        guard document.profile.isIntercepted else {
            return "custom-scheme pages cannot register a service worker"
        }
        if !document.profile.client.answersServiceWorkers {
            return "the handler does not answer service workers, so this one is not found"
        }
        guard fact.extent == .whole, !fact.value.isEmpty else { return nil }
        let resolution = document.resolveFromPage(self)
        if resolution.outcome == .otherOrigin {
            return "a service worker must have the web origin of its page"
        }
        return resolution.isMiss ? "the service worker '\(text)' is not in the package" : nil
    }
}
