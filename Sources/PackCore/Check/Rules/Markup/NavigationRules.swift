import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A link to a page missing from the package.
    static let navTargetMissing = Rule(
        "nav-target-missing", group: .markup, level: .boundPages(.error),
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.resolution.isMiss, LookupModel.isOpened(reference, document),
                    LookupModel.isPlainMiss(reference, in: document.site)
                else { continue }
                let last = reference.resolution.url?.pathComponents.last
                let isRoute = last.map { !$0.contains(UInt8(ascii: ".")) } ?? true
                sink.report(
                    reference, LookupModel.pageMessage(reference, in: document.site),
                    notes: LookupModel.pageNotes(reference, in: document.site),
                    severity: reference.traits.contains(.inNoscript)
                        ? .hint
                        : document.severityOnline(reference.value) ?? (isRoute ? .warning : nil),
                    cause: document.site.targetName(reference.resolution).map { "page \($0)" })
            }
        })

    /// A link that opens a packaged page from the network.
    static let navLeavesPackage = Rule(
        "nav-leaves-package", group: .markup,
        level: .init("warning if hosts are configured and pages have the custom scheme") {
            $0.hasCustomPages && !$0.hosts.isEmpty ? .warning : nil
        }, fix: .unsafe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard let target = OwnLink.target(reference, in: document),
                    let host = reference.resolution.url?.host
                else { continue }
                let name = String(decoding: host.serialized, as: UTF8.self)
                let text = printable(document.site.path(target).bytes)
                sink.report(
                    reference, "the link leaves the package, which has the page",
                    notes: ["the package has it as '\(text)'"],
                    fix: OwnLink.address(reference, in: document).flatMap {
                        document.fix(.unsafe, reference, to: $0)
                    }, cause: "links to \(name)")
            }
        })

    /// A custom link in an https page.
    static let navCustomInHTTPS = Rule(
        "nav-custom-in-https", group: .markup,
        level: .init("warning if pages are loaded over https") {
            $0.pageOrigin == .https && $0.hasSecurePages ? .warning : nil
        }, fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.writtenScheme == document.profile.canonicalScheme,
                    let url = reference.resolution.url,
                    reference.fault == nil
                else { continue }
                sink.report(
                    reference, "many apps refuse to navigate to a custom scheme",
                    fix: ReferenceAddress.secure(of: url).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })

    /// A link to plain http.
    static let navHTTP = Rule(
        "nav-http", group: .markup, level: .always(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.writtenScheme.map({ $0.elementsEqual("http".utf8) }) == true,
                    let host = reference.resolution.url?.host, !host.isLocal,
                    OwnLink.target(reference, in: document) == nil,
                    reference.fault == nil
                else { continue }
                sink.report(
                    reference, "the app blocks plain http",
                    fix: SchemeSpelling.replacing(reference, with: "https").flatMap {
                        document.safeFix(reference, to: $0)
                    }, cause: reference.resolution.url.map { printable($0.serialized()) })
            }
        })

    /// A ping dropped by browsers.
    static let pingCustom = Rule(
        "ping-custom", group: .markup, level: .customScheme(.error), fix: .safe,
        document: { document, sink in
            // js-beacon reports pings by scripts.
            for reference in document.references
            where reference.use == .beacon && reference.htmlKind != nil {
                guard let url = reference.resolution.url, !url.isSpecial else { continue }
                let isOwn = document.profile.ownsHost(url.host) && !document.profile.hosts.isEmpty
                sink.report(
                    reference, "browsers send pings to http and https only",
                    fix: isOwn
                        ? ReferenceAddress.secure(of: url).flatMap {
                            document.safeFix(reference, to: $0)
                        } : nil)
            }
        })
}

extension URLHost {
    /// Whether it is the local machine, as for a development server.
    var isLocal: Bool {
        isLoopback || serialized.suffix(10).elementsEqual(".localhost".utf8)
    }
}

/// Links to a packaged page by its http or https URL, which `rewrite` changes and a rule reports.
enum OwnLink {
    /// The packaged page opened from the network; `nil` for any other link.
    static func target(_ reference: Reference, in document: DocumentContext) -> Int? {
        guard document.profile.hasCustomPages, !document.profile.hosts.isEmpty,
            reference.htmlKind == .navigation || reference.htmlKind == .refresh,
            reference.isEffective, reference.resolution.outcome == .otherOrigin,
            reference.resolution.twin != nil,
            let url = reference.resolution.url,
            url.port == nil, !url.hasCredentials, !opensElsewhere(reference, in: document),
            let custom = ReferenceAddress.custom(of: url, in: document.profile),
            case .file(let file) = document.site.resolver.resolve(
                custom.utf8, from: document.url, for: .navigation
            ).outcome
        else { return nil }
        return file
    }

    /// The replacement: the app's URL, or a protocol-relative one if browsers also get the page.
    static func address(_ reference: Reference, in document: DocumentContext) -> String? {
        guard let url = reference.resolution.url,
            let custom = ReferenceAddress.custom(of: url, in: document.profile)
        else { return nil }
        guard document.profile.pageOrigin == .dual else { return custom }
        return String(custom.drop { $0 != "/" })
    }

    /// Whether the link opens a browser or saves a file.
    private static func opensElsewhere(
        _ reference: Reference, in document: DocumentContext
    ) -> Bool {
        guard let element = document.element(of: reference) else { return false }
        if document.has("download", element) { return true }
        let relations = document.keyword("rel", of: element) ?? ""
        if relations.split(separator: " ").contains("external") { return true }
        let target = document.keyword("target", of: element) ?? baseTarget(of: document)
        return target.map { !["", "_self", "_top", "_parent"].contains($0) } ?? false
    }

    /// The default target of all links, from a `base` element with or without a URL.
    private static func baseTarget(of document: DocumentContext) -> String? {
        guard let html = document.html else { return nil }
        let page = document.bytes.span
        var reader = HTMLReader(range: 0..<(html.bodyStart ?? document.bytes.count))
        while let token = reader.next(in: page) {
            guard token.kind == .startTag, token.name == "base" else { continue }
            let target = reader.attributes.value(of: "target", in: page)
            if let target { return String(keyword: target) }
        }
        return nil
    }
}
