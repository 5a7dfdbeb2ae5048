import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A base that redirects every relative URL.
    static let baseConflict = Rule(
        "base-conflict", group: .markup, level: .always(.error), fix: .unsafe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .base {
                guard !reference.traits.contains(.inTemplate),
                    !reference.traits.contains(.inNoscript)
                else { continue }
                guard reference.isEffective else {
                    sink.report(
                        reference, "only the first base of a page counts", severity: .warning)
                    continue
                }
                guard let scheme = reference.resolution.url?.scheme,
                    let own = document.url?.scheme, scheme != own
                else { continue }
                let host = reference.resolution.url?.host.map { "://" + printable($0.serialized) }
                sink.report(
                    reference,
                    """
                    every relative URL of this page resolves to '\(printable(scheme))\(host ?? ":")'
                    """)
            }
        })

    /// A link within the page that `base` redirects to another page.
    static let baseFragment = Rule(
        "base-fragment", group: .markup, level: .always(.warning),
        document: { document, sink in
            guard document.html != nil, let base = document.baseURL, let url = document.url,
                base.serialized(includingFragment: false)
                    != url.serialized(includingFragment: false),
                document.site.resolver.resolve(base, for: .navigation).file != document.index
            else { return }
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.resolution.outcome == .notARequest(.fragment),
                    reference.value.drop(while: { $0 <= 0x20 }).count > 1,
                    let element = document.element(of: reference),
                    !document.has("onclick", element)
                else { continue }
                sink.report(
                    reference,
                    "'\(reference.text)' leads to a fragment of another page, the base URL's",
                    cause: "base")
            }
        })
}
