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
                    let host = reference.resolution.url?.host, !NavHost.isLocal(host),
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

private enum NavHost {
    static func isLocal(_ host: URLHost) -> Bool {
        host.isLoopback || host.serialized.suffix(10).elementsEqual(".localhost".utf8)
    }
}
