import PackWeb

// Rules about navigations that the handler answers with the start page.

extension Rule {
    /// A link that opens the start page although the package has the page that is meant.
    static let startPageShown = Rule(
        "start-page-shown", "a link opens the start page instead of the page that is meant",
        group: .markup, level: StartPage.level(.warning),
        explanation: .init(
            what: """
                Finds links, redirects and forms without an extension in their path (`/about`) \
                where the package has the page (`about.html`, `about/index.html`).
                """,
            why: """
                Capacitor and Cordova answer every path without an extension with the start page. \
                Unless a router in it shows the page, the reader stays at home.
                """,
            sources: [
                .cite(.capacitor, "Router.swift"), .cite(.cordovaIOS, "CDVURLSchemeHandler.m"),
            ],
            instead: "Link to the file: `/about.html`.",
            detection: """
                The path with `.html` or `/index.html` is looked up. Links that a router opens \
                itself cannot be told apart; all links of a build are one finding.
                """),
        examples: [
            .bad(
                "index.html", "<a href=\"↓/about\">x</a>", others: ["about.html": ""],
                profile: .capacitor),
            .bad(
                "index.html", "<meta http-equiv=\"refresh\" content=\"0; url=↓shop/\">",
                others: ["shop/index.html": ""], profile: .cordova),
            .bad(
                "app.js", "location.assign(\"↓/about\")",
                others: ["index.html": "", "about.html": ""], profile: .capacitor),
            .good("index.html", "<a href=\"/basket\">x</a>", "a route", profile: .capacitor),
            .good(
                "index.html", "<a href=\"/about.html\">x</a><a href=\"/\">y</a>",
                others: ["about.html": ""], profile: .capacitor),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.use.opensPage && reference.isEffective {
                guard reference.resolution.isStartPage,
                    let meant = StartPage.meant(reference.resolution, in: document.site)
                else { continue }
                sink.report(
                    reference,
                    "'\(reference.text)' opens the start page, not the page of that name",
                    notes: ["the package has '\(printable(document.site.path(meant).bytes))'"],
                    cause: "start page")
            }
        })

    /// A start page that cannot be opened under its routes.
    static let startPageRelative = Rule(
        "start-page-relative", "the start page loads its files from the directory of a route",
        group: .markup, level: StartPage.level(.warning),
        explanation: .init(
            what: """
                Finds start pages with relative scripts or style sheets and links to routes with \
                more than one component (`/products/3`).
                """,
            why: """
                Opened as `/products/3`, the start page's `js/app.js` means \
                `/products/js/app.js`: the page stays blank.
                """,
            sources: [.cite(.capacitor, "Router.swift"), .cite(.htmlStandard, "the base element")],
            instead: "Write `<base href=\"/\">` into the head, or root-relative URLs.",
            detection: """
                The start page's own links are checked; a router that opens them without a \
                navigation cannot be told apart.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"js/a.js\"></script><a href=\"↓/products/3\">x</a>",
                others: ["js/a.js": ""], profile: .capacitor),
            .good(
                "index.html", "<script src=\"/js/a.js\"></script><a href=\"/products/3\">x</a>",
                others: ["js/a.js": ""], profile: .capacitor),
            .good(
                "index.html",
                "<base href=\"/\"><script src=\"js/a.js\"></script><a href=\"products/3\">x</a>",
                others: ["js/a.js": ""], profile: .capacitor),
            .good(
                "index.html", "<script src=\"js/a.js\"></script><a href=\"/products\">x</a>",
                others: ["js/a.js": ""], profile: .capacitor),
        ],
        document: { document, sink in
            guard document.kind == .html, document.baseURL == document.url,
                document.path.bytes.elementsEqual(document.profile.startPage.utf8),
                let code = document.references.first(where: { StartPage.isRelativeCode($0) })
            else { return }
            for reference in document.references
            where reference.use == .navigation && reference.htmlKind != nil {
                guard reference.resolution.isStartPage, let url = reference.resolution.url,
                    document.profile.packagePath(of: url)?.contains(UInt8(ascii: "/")) == true
                else { continue }
                sink.report(
                    reference,
                    "opened as '\(reference.text)', the start page does not find '\(code.text)'",
                    cause: "start page")
            }
        })
}

extension Rule {
    /// Routes of a page that is not the one that answers them.
    static let startPageOther = Rule(
        "start-page-other", "a route opens index.html, and the app starts with another page",
        group: .markup,
        level: .init("warning where the start page is not the launch page (capacitor)") {
            $0.client.indexFile == .startPage && $0.startPage != $0.launch ? .warning : nil
        },
        explanation: .init(
            what: "Finds links without an extension in a launch page that is not `index.html`.",
            why: """
                Capacitor answers every path without an extension with `index.html`, whatever page \
                the app opens first. The reader leaves the launch page, and a reload of one of its \
                routes does the same.
                """,
            sources: [.cite(.capacitor, "Router.swift")],
            instead: "Call the launch page `index.html`.",
            detection: """
                The links of the launch page; a router that opens them without a navigation cannot be \
                told apart. All links are one finding.
                """),
        examples: [
            .bad(
                "start.html", "<a href=\"↓/about\">x</a><a href=\"/help\">y</a>",
                others: ["index.html": ""],
                profile: Profile.capacitor.with { $0.launch = "start.html" }),
            .good(
                "start.html", "<a href=\"/about.html\">x</a>",
                others: ["index.html": "", "about.html": ""],
                profile: Profile.capacitor.with { $0.launch = "start.html" }),
            .good(
                "start.html", "<a href=\"/about\">x</a>", others: ["index.html": ""],
                profile: Profile.cordova.with { $0.launch = "start.html" }),
        ],
        document: { document, sink in
            guard document.path.bytes.elementsEqual(document.profile.launch.utf8) else { return }
            for reference in document.references
            where reference.use.opensPage && reference.isEffective {
                guard reference.resolution.isStartPage,
                    StartPage.meant(reference.resolution, in: document.site) == nil
                else { continue }
                sink.report(
                    reference,
                    "'\(reference.text)' opens '\(document.profile.startPage)', not this page",
                    cause: "start page")
            }
        })
}

private enum StartPage {
    /// Only where the handler has a start page.
    static func level(_ severity: Severity) -> Rule.Level {
        .init("\(severity.rawValue) where a start page answers (capacitor, cordova)") {
            $0.client.indexFile == .startPage ? severity : nil
        }
    }

    /// The page of which a path lacks the ending.
    static func meant(_ resolution: Resolution, in site: SiteIndex) -> Int? {
        guard
            var path = resolution.url.flatMap({ site.profile.packagePath(of: $0) }).map(Array.init)
        else { return nil }
        path = PercentEncoding.decode(path)
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        guard !path.isEmpty else { return nil }
        let page = ["", ".html", ".htm", "/index.html"].lazy.compactMap {
            site.listing.index(of: path + Array($0.utf8))
        }.first
        return page == resolution.file ? nil : page
    }

    /// Whether a script or style sheet counts from the page's directory.
    static func isRelativeCode(_ reference: Reference) -> Bool {
        switch reference.htmlKind {
        case .script, .moduleScript, .styleSheet: break
        default: return false
        }
        return reference.resolution.file != nil && reference.writtenScheme == nil
            && reference.value.first(where: { $0 > 0x20 }) != UInt8(ascii: "/")
    }
}
