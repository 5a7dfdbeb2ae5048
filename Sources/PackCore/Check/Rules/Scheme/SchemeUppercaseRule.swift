import PackProfile

extension Rule {
    /// Capital letters in the scheme, which WebKit lowercases.
    static let schemeUppercase = Rule(
        "scheme-uppercase", group: .scheme,
        level: .init(
            """
            error if the app has a custom scheme and compares schemes byte by byte, else warning
            """
        ) {
            $0.isIntercepted ? nil : $0.client.schemeComparison == .exact ? .error : .warning
        }, fix: .safe,
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.use != .inert {
                guard reference.use != .identifier, reference.writtenScheme == custom else {
                    continue
                }
                let written = reference.value.drop { $0 <= 0x20 }.prefix(custom.count)
                guard !written.elementsEqual(custom) else { continue }
                let lower = String(decoding: custom, as: UTF8.self)
                sink.report(
                    reference, "the scheme in '\(reference.text)' has capital letters",
                    fix: SchemeSpelling.replacing(reference, with: lower).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        },
        site: { context, sink in
            let scheme = context.profile.scheme
            guard scheme.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return }
            sink.report(
                name: ".",
                """
                the configured scheme '\(scheme)' has capital letters; URLs reach the app in \
                lower case
                """)
        })
}
