import PackProfile
import PackURL

extension Rule {
    /// `//host/…` with the pages' own host, in an https page.
    static let protocolRelativeOwn = Rule(
        "protocol-relative-own", group: .origin, level: .securePages(.warning),
        document: { document, sink in
            for reference in document.references
            where reference.isProtocolRelative && reference.isEffective && reference.use.isFetched
                && reference.resolution.twin != nil
                && document.profile.ownsWebHost(reference.resolution.url?.host)
            {
                sink.report(
                    reference,
                    """
                    in an https page '\(reference.text)' is loaded from the network, not from \
                    the package
                    """
                )
            }
        })
}
