import PackGround
import PackProfile
import PackURL

extension Rule {
    /// A fallback over plain http, and URLs broken by it.
    static let fallbackPlainHTTP = Rule(
        "fallback-plain-http", group: .lookup,
        level: .init(
            "warning if the handler falls back to http or https by replacing the scheme"
        ) {
            $0.isIntercepted || $0.client.fallback == .none ? nil : .warning
        },
        document: { document, sink in
            let scheme = document.profile.canonicalScheme
            for reference in document.references where reference.resolution.reachesHandler {
                guard LookupModel.isOpened(reference, document), reference.isEffective,
                    let url = reference.resolution.url, url.scheme == scheme,
                    Array(url.serialized().dropFirst(scheme.count)).firstRange(of: scheme) != nil,
                    reference.fault == nil
                else { continue }
                sink.report(
                    reference, "the fallback also replaces the scheme's name here",
                    notes: document.site.hints(for: reference.resolution))
            }
        },
        site: { context, sink in
            if context.profile.client.fallback == .http {
                sink.report(
                    name: ".",
                    "the handler requests missing files over http, not https",
                    severity: .hint)
            }
        })
}
