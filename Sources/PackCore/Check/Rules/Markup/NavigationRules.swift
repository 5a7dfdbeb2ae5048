import PackWeb

// Rules about the targets of links.

extension Rule {
    /// A link to a page that is not in the package.
    static let navTargetMissing = Rule(
        "nav-target-missing", "a link names a page that is not in the package", group: .markup,
        level: .customPages(.error),
        explanation: .init(
            what: "Finds links in custom-scheme pages for which the handler has no file.",
            why: """
                A relative link keeps the custom scheme. The handler has no such page, so offline \
                the user gets a blank screen. Many servers answer `/about` with `about.html` or \
                `about/index.html`; a handler does not.
                """,
            sources: [.cite(.ruleStudy, "client model"), .proof("nav-target-missing")],
            instead: """
                Package the page, or link to its full https URL. Write the file's whole name, \
                `about.html`. For a handler that answers `about/` with its index file \
                (`profile.index-file: directory`), Next.js exports such links with \
                `trailingSlash: true`.
                """,
            detection: """
                Links are looked up like subresources; a link whose last component has no dot may \
                be a client-side route and is only a warning. All links to one page are one \
                finding.
                """),
        examples: [
            .bad("index.html", "<a href=\"↓about.html\">about</a>"),
            .bad("index.html", "<a href=\"↓/basket\">basket</a>", "perhaps a route: a warning"),
            .bad(
                "index.html", "<a href=\"↓/about\">about</a><a href=\"/about#us\">us</a>",
                "without the file's ending; one finding for all its places",
                others: ["about.html": ""], profile: .pathStrict),
            .good(
                "index.html",
                "<a href=\"about.html\">a</a><a href=\"https://www.example.com/b\">b</a><a href=\"mailto:a@b\">c</a>",
                others: ["about.html": ""]),
        ],
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
                        ? .hint : isRoute ? .warning : nil,
                    cause: document.site.targetName(reference.resolution).map { "page \($0)" })
            }
        })

    /// A link that opens a packaged page from the network.
    static let navLeavesPackage = Rule(
        "nav-leaves-package", "a link opens a packaged page from the network", group: .markup,
        level: .init("warning where hosts are configured and pages have the custom scheme") {
            $0.hasCustomPages && !$0.hosts.isEmpty ? .warning : nil
        }, fix: .unsafe,
        explanation: .init(
            what: """
                Finds links of custom-scheme pages with the http or https URL of a packaged page on \
                one of the pages' own hosts.
                """,
            why: """
                The link leaves the package: offline nothing opens, and online the page comes from \
                the network, with its own cookies and storage.
                """,
            sources: [.cite(.s003, "only custom URLs reach the handler"), .cite(.ruleStudy)],
            instead: "Link with a relative URL; `packtool rewrite` writes the app's URL.",
            detection: """
                The URL is looked up in the package as a link of the custom scheme would be. Links \
                that open elsewhere stay: with `target=_blank` or another window's name, with \
                `download`, and with `rel=external`. All links to one host are one finding.
                """),
        examples: [
            .bad(
                "index.html",
                "<a href=\"↓http://www.example.com/about.html?from=home#us\">a</a>",
                others: ["about.html": ""], profile: .pathStrict.with(host: "www.example.com")),
            .bad(
                "index.html", "<a href=\"↓https://www.example.com/about.html\">a</a>",
                others: ["about.html": ""],
                profile: .pathStrict.with(host: "www.example.com").with(pageOrigin: .dual)),
            .good(
                "index.html",
                "<a href=\"about.html\">a</a><a href=\"https://www.example.com/gone.html\">b</a><a href=\"https://example.org/about.html\">c</a>",
                "in the package, not packaged, and another host", others: ["about.html": ""]),
            .good(
                "index.html",
                "<base target=\"_blank\"><a href=\"https://www.example.com/about.html\">a</a>",
                others: ["about.html": ""]),
            .good(
                "index.html",
                "<a target=\"_blank\" href=\"https://www.example.com/about.html\">a</a><a rel=\"external\" href=\"https://www.example.com/about.html\">b</a>",
                "meant to open elsewhere", others: ["about.html": ""]),
            .good(
                "index.html", "<a href=\"https://www.example.com/about.html\">a</a>",
                "an https page", others: ["about.html": ""],
                profile: Example.profile.with(pageOrigin: .https)),
        ],
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
        "nav-custom-in-https", "a link in an https page has the custom scheme", group: .markup,
        level: .init("warning where pages are loaded over https") {
            $0.pageOrigin == .https ? .warning : nil
        }, fix: .safe,
        explanation: .init(
            what: "Finds links with the custom scheme in pages that are loaded over https.",
            why: """
                The app decides about every navigation, and many apps pass unexpected schemes to \
                the system, which reports "unsupported URL". Cookies and history also belong to \
                the https pages.
                """,
            sources: [.issue(.capacitor, 339)],
            instead: "Link with https; only subresources come from the package.",
            detection: "The text of links is checked."),
        examples: [
            .bad(
                "index.html", "<a href=\"↓customscheme://www.example.com/a.html\">a</a>",
                others: ["a.html": ""], profile: Example.profile.with(pageOrigin: .https)),
            .good(
                "index.html", "<a href=\"customscheme://www.example.com/a.html\">a</a>",
                others: ["a.html": ""]),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.writtenScheme == document.profile.canonicalScheme,
                    let url = reference.resolution.url,
                    URLFault.of(reference, in: document.site) == nil
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
        "nav-http", "a link to plain http", group: .markup, level: .always(.warning), fix: .safe,
        explanation: .init(
            what: "Finds links with http.",
            why: "App Transport Security blocks them in the app's web view.",
            sources: [.cite(.appleDocs, "NSAppTransportSecurity")],
            instead: "Link with https.",
            detection: "The scheme of links is checked; local hosts are allowed."),
        examples: [
            .bad("index.html", "<a href=\"↓http://example.com/\">x</a>"),
            .good(
                "index.html",
                "<a href=\"https://example.com/\">x</a><a href=\"http://localhost:80/\">y</a>"),
        ],
        document: { document, sink in
            for reference in document.references where reference.htmlKind == .navigation {
                guard reference.writtenScheme.map({ $0.elementsEqual("http".utf8) }) == true,
                    let host = reference.resolution.url?.host, !host.isLocal,
                    OwnLink.target(reference, in: document) == nil,
                    URLFault.of(reference, in: document.site) == nil
                else { continue }
                sink.report(
                    reference, "the app blocks plain http",
                    fix: SchemeSpelling.replacing(reference, with: "https").flatMap {
                        document.safeFix(reference, to: $0)
                    }, cause: reference.resolution.url.map { printable($0.serialized()) })
            }
        })

    /// A ping that browsers drop.
    static let pingCustom = Rule(
        "ping-custom", "a ping URL is not http or https", group: .markup, level: .always(.error),
        fix: .safe,
        explanation: .init(
            what: "Finds `ping` attributes whose URL resolves to the custom scheme.",
            why: "Browsers send pings to http and https URLs only and silently drop others.",
            sources: [
                .cite(.htmlStandard, "hyperlink auditing"), .issue(.webkitBugs, 156801),
                .proof("ping-custom"),
            ],
            instead: "Write the full https URL.",
            detection: "The resolved scheme of each URL in the list is checked."),
        examples: [
            .bad(
                "index.html", "<a href=\"index.html\" ping=\"↓/t https://www.example.com/t\">x</a>"),
            .good("index.html", "<a href=\"index.html\" ping=\"https://www.example.com/t\">x</a>"),
        ],
        document: { document, sink in
            // js-beacon reports those of scripts.
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
    /// Whether it is the machine itself, as of a development server.
    var isLocal: Bool {
        isLoopback || serialized.suffix(10).elementsEqual(".localhost".utf8)
    }
}

/// Links by the http or https URL of a packaged page, which `rewrite` changes and a rule reports.
enum OwnLink {
    /// The packaged page that the link opens from the network; `nil` for any other link.
    static func target(_ reference: Reference, in document: DocumentContext) -> Int? {
        guard document.profile.hasCustomPages, !document.profile.hosts.isEmpty,
            reference.htmlKind == .navigation, reference.isEffective,
            reference.resolution.outcome == .otherOrigin, reference.resolution.twin != nil,
            let url = reference.resolution.url,
            url.port == nil, !url.hasCredentials, !opensElsewhere(reference, in: document),
            let custom = ReferenceAddress.custom(of: url, in: document.profile),
            case .file(let file) = document.site.resolver.resolve(
                custom.utf8, from: document.url, for: .navigation
            ).outcome
        else { return nil }
        return file
    }

    /// What to write instead: the app's URL, or one that inherits the page's scheme where browsers get the page, too.
    static func address(_ reference: Reference, in document: DocumentContext) -> String? {
        guard let url = reference.resolution.url,
            let custom = ReferenceAddress.custom(of: url, in: document.profile)
        else { return nil }
        guard document.profile.pageOrigin == .dual else { return custom }
        return String(custom.drop { $0 != "/" })
    }

    /// Whether the link is meant for a browser, or saves a file.
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

    /// The window that the page's `base` names for all links, with or without an address of its own.
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
