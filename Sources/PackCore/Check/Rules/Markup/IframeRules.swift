import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A frame with a custom URL in an https page.
    static let iframeCustomInHTTPS = Rule(
        "iframe-custom-in-https", group: .markup, level: .securePages(.error),
        document: { document, sink in
            for reference in document.references where reference.use == .document {
                guard reference.isEffective,
                    reference.writtenScheme == document.profile.canonicalScheme
                else { continue }
                sink.report(reference, "an https page cannot frame a custom-scheme page")
            }
        })

    /// A frame with another site's page in a packaged page.
    static let iframeHTTPSInCustom = Rule(
        "iframe-https-in-custom", group: .markup, level: .customPages(.hint),
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .frame {
                guard reference.isEffective, reference.resolution.outcome == .otherOrigin,
                    reference.resolution.url?.isSpecial == true, reference.resolution.twin == nil
                else { continue }
                sink.report(
                    reference,
                    """
                    check whether this site allows framing by a custom-scheme page
                    """)
            }
        })
}
