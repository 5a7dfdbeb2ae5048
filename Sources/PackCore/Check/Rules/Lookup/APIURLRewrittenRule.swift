import PackProfile

extension Rule {
    /// A service request sent to the handler.
    static let apiURLRewritten = Rule(
        "api-url-rewritten", group: .lookup, level: .customScheme(.error), fix: .safe,
        document: { document, sink in
            for reference in document.references {
                guard reference.use == .submission || reference.use == .request,
                    reference.writtenScheme == document.profile.canonicalScheme,
                    reference.resolution.isMiss,
                    reference.fault == nil,
                    let url = reference.resolution.url
                else { continue }
                sink.report(
                    reference,
                    """
                    '\(reference.text)' is sent to the handler, which drops the request's \
                    method, headers and body
                    """,
                    notes: document.site.hints(for: reference.resolution),
                    fix: ReferenceAddress.secure(of: url).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })
}
