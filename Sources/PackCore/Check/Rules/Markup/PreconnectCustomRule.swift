import PackProfile
import PackURL

extension Rule {
    /// A connection hint for a scheme without connections.
    static let preconnectCustom = Rule(
        "preconnect-custom", group: .markup, level: .customScheme(.hint), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.use == .connectionHint {
                guard reference.isEffective, let element = document.element(of: reference),
                    reference.resolution.url?.scheme == document.profile.canonicalScheme
                else { continue }
                sink.report(
                    reference, "a custom URL opens no connection",
                    fix: document.removal(of: element))
            }
        })
}
