import PackProfile
import PackWeb

extension Rule {
    /// A request with a body to the handler.
    static let jsAjaxCustomNonget = Rule(
        "js-ajax-custom-nonget", group: .script, level: .customScheme(.error),
        document: { document, sink in
            for fact in document.facts(.fetch, .request, .ajax) {
                guard !["GET", "HEAD", "?", ""].contains(fact.fact.detail),
                    fact.fact.extent != .none,
                    fact.fact.extent != .part
                else { continue }
                let isCustom = fact.spells(document.profile.canonicalScheme)
                let isPackaged =
                    fact.fact.extent == .whole && document.resolveFromPage(fact).file != nil
                guard isCustom || isPackaged else { continue }
                sink.report(
                    at: fact.range, "\(fact.fact.detail) '\(fact.text)' is sent to the handler",
                    // The handler returns the file regardless of the method.
                    severity: fact.isHarmless ? .hint : isPackaged ? .warning : nil)
            }
        })
}
