import PackGround
import PackProfile
import PackURL

extension Rule {
    /// `//host/…` of a third party, in a custom-scheme page.
    static let protocolRelativeThirdParty = Rule(
        "protocol-relative-third-party", group: .origin, level: .customPages(.error), fix: .safe,
        document: { document, sink in
            for reference in document.references
            where reference.isProtocolRelative && reference.isEffective
                && (reference.use.isFetched || reference.use == .submission
                    || reference.use == .request || reference.use == .beacon
                    || reference.use == .navigation)
            {
                guard let url = reference.resolution.url,
                    ProtocolRelative.isReported(reference, in: document.profile)
                else { continue }
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference,
                    """
                    '\(reference.text)' becomes '\(printable(url.serialized()))', which the \
                    app cannot serve
                    """,
                    fix: document.safeFix(reference, to: "https:" + value),
                    severity: document.site.options.expects(url) ? .warning : nil)
            }
        })
}

enum ProtocolRelative {
    /// Whether the rule reports a reference: its host is another's, but its scheme is the pages'.
    static func isReported(_ reference: Reference, in profile: Profile) -> Bool {
        reference.isProtocolRelative && profile.hasCustomPages
            && reference.resolution.url?.scheme == profile.canonicalScheme
            && isThirdParty(reference.value, reference.resolution, profile)
    }

    /// Whether a URL without a scheme has a third-party host.
    ///
    /// If no hosts are configured, a missing file is assumed to be on another host.
    static func isThirdParty(
        _ value: [UInt8], _ resolution: Resolution, _ profile: Profile
    ) -> Bool {
        guard Reference.isProtocolRelative(value), let host = resolution.url?.host else {
            return false
        }
        if profile.hosts.isEmpty {
            return resolution.isMiss
                && !host.inLowerCase.elementsEqual(Profile.unknownHost.utf8)
        }
        return !profile.ownsHost(host)
    }
}
