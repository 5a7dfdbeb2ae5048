import PackProfile
import PackWeb

extension Rule {
    /// A request to the custom scheme from an https page.
    static let jsAjaxCustomFromHttps = Rule(
        "js-ajax-custom-from-https", group: .script, level: .securePages(.error),
        document: { document, sink in
            for fact in document.facts(.fetch, .request, .ajax, .ajaxBase, .eventSource)
            where fact.spells(document.profile.canonicalScheme) {
                sink.report(
                    at: fact.range,
                    """
                    '\(fact.text)' is never requested: it is mixed content
                    """)
            }
        })
}
