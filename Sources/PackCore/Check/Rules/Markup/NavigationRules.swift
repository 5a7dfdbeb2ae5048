import PackWeb

// Rules about one thing: where links lead.

extension Rule {
    /// A link to a page that is not in the package.
    static let navTargetMissing = Rule(
        "nav-target-missing", "a link leads to a page that is not in the package", group: .markup,
        level: .customPages(.error),
        explanation: .init(
            what: "Finds links of custom pages that the handler has no file for.",
            why: """
                A relative link stays in the custom scheme. The handler has no such page; offline the \
                reader ends at a blank screen.
                """,
            source: "rules section 4",
            instead: "Package the page, or link to it with its https URL in full.",
            detection: """
                Links are looked up like sub-resources; one whose last component has no dot may be a \
                route of a script, and is a warning.
                """),
        examples: [
            .bad("index.html", "<a href=\"↓about.html\">about</a>"),
            .bad("index.html", "<a href=\"↓/basket\">basket</a>", "perhaps a route: a warning"),
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
                    reference, "'\(reference.text)' is not in the package",
                    notes: document.site.hints(for: reference.resolution),
                    severity: reference.traits.contains(.inNoscript)
                        ? .info : isRoute ? .warning : nil)
            }
        })

    /// A custom link in a page that came over https.
    static let navCustomInHTTPS = Rule(
        "nav-custom-in-https", "a link of an https page has the custom scheme", group: .markup,
        level: .init("warning where pages are loaded over https") {
            $0.pageOrigin == .https ? .warning : nil
        }, fix: .safe,
        explanation: .init(
            what: "Finds links with the custom scheme in pages that are loaded over https.",
            why: """
                The app is asked about every navigation, and many apps hand schemes they do not expect \
                to the system: "unsupported URL". Cookies and history belong to https.
                """,
            source: "Capacitor 339; rules section 4",
            instead: "Link with https; sub-resources alone come from the package.",
            detection: "The text of links."),
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
                    reference, "apps often refuse to navigate to a custom scheme",
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
            source: "NSAppTransportSecurity",
            instead: "Link with https.",
            detection: "The scheme of links; local hosts are left alone."),
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
                    reference, "plain http is blocked in the app",
                    fix: SchemeSpelling.replacing(reference, with: "https").flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })

    /// A beacon that browsers drop.
    static let pingCustom = Rule(
        "ping-custom", "a ping that is not http", group: .markup, level: .always(.error),
        fix: .safe,
        explanation: .init(
            what: "Finds 'ping' attributes whose URL resolves to the custom scheme.",
            why: "Browsers send pings to http and https only, and drop others without a word.",
            source: "HTML standard, hyperlink auditing; WebKit bug 156801",
            instead: "Write the https URL in full.",
            detection: "The resolved scheme of each URL of the list."),
        examples: [
            .bad(
                "index.html", "<a href=\"index.html\" ping=\"↓/t https://www.example.com/t\">x</a>"),
            .good("index.html", "<a href=\"index.html\" ping=\"https://www.example.com/t\">x</a>"),
        ],
        document: { document, sink in
            // Those of scripts are the business of js-beacon.
            for reference in document.references
            where reference.use == .beacon && reference.htmlKind != nil {
                guard let url = reference.resolution.url, !url.isSpecial else { continue }
                let isOwn = document.profile.ownsHost(url.host) && !document.profile.hosts.isEmpty
                sink.report(
                    reference, "a ping goes to http and https only",
                    fix: isOwn
                        ? ReferenceAddress.secure(of: url).flatMap {
                            document.safeFix(reference, to: $0)
                        } : nil)
            }
        })
}

private enum NavHost {
    static func isLocal(_ host: URLHost) -> Bool {
        let text = String(decoding: host.serialized, as: UTF8.self)
        return text == "localhost" || text.hasPrefix("127.") || text == "[::1]"
            || text.hasSuffix(".localhost")
    }
}
