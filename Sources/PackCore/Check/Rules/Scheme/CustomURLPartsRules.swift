import PackProfile
import PackURL

extension Rule {
    /// A port in a custom URL.
    static let customURLPort = Rule(
        "custom-url-port", group: .scheme, level: .customScheme(.warning), fix: .safe,
        document: { document, sink in
            for (reference, url) in CustomURLParts.custom(document) {
                guard let port = url.port else { continue }
                var plain = url
                plain.port = nil
                sink.report(
                    reference, "the port \(port) makes this a different web origin",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })

    /// A user name in a custom URL.
    static let customURLCredentials = Rule(
        "custom-url-credentials", group: .scheme, level: .customScheme(.warning), fix: .safe,
        document: { document, sink in
            for (reference, url) in CustomURLParts.custom(document) where url.hasCredentials {
                var plain = url
                plain.username = []
                plain.password = []
                sink.report(
                    reference, "a custom URL has a user name",
                    fix: reference.writtenScheme == nil
                        ? nil : document.safeFix(reference, to: plain.href))
            }
        })
}

private enum CustomURLParts {
    /// The references that resolve to a custom URL.
    static func custom(_ document: DocumentContext) -> [(Reference, URLRecord)] {
        document.references.compactMap { reference in
            guard reference.use != .inert, reference.use != .identifier,
                reference.use != .literal, reference.isEffective,
                let url = reference.resolution.url,
                url.scheme == document.profile.canonicalScheme
            else { return nil }
            return (reference, url)
        }
    }
}
