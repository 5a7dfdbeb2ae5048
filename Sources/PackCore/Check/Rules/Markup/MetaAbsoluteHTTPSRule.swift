import PackProfile
import PackWeb

extension Rule {
    /// Metadata for other services with a URL that only the app can load.
    static let metaAbsoluteHTTPS = Rule(
        "meta-absolute-https", group: .markup, level: .customScheme(.error), fix: .safe,
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.htmlKind == .metadata {
                guard reference.isEffective, let element = document.element(of: reference),
                    let url = reference.resolution.url, Placeholder.find(in: reference.value) == nil
                else { continue }
                if reference.writtenScheme == custom {
                    sink.report(
                        reference, "'\(reference.text)' cannot be loaded outside the app",
                        fix: ReferenceAddress.secure(of: url).flatMap {
                            document.safeFix(reference, to: $0)
                        })
                } else if element.name == "meta", reference.writtenScheme == nil,
                    Metadata.isAbsoluteDemanded(element, document)
                {
                    sink.report(
                        reference, "social networks do not resolve relative URLs",
                        severity: .warning)
                }
            }
        })
}

private enum Metadata {
    /// Whether share sheets or crawlers require an absolute URL; Windows tiles may be relative.
    static func isAbsoluteDemanded(_ element: HTMLElement, _ document: DocumentContext) -> Bool {
        let about =
            document.keyword("property", of: element) ?? document.keyword("name", of: element) ?? ""
        return about.hasPrefix("og:") || about.hasPrefix("twitter:")
    }
}
