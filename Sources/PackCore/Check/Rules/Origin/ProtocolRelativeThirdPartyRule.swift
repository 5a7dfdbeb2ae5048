import PackWeb

extension Rule {
    /// `//host/…` of a third party, in a custom-scheme page.
    static let protocolRelativeThirdParty = Rule(
        "protocol-relative-third-party", "'//host' of a third party becomes a custom URL",
        group: .origin, level: .customPages(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds URLs that start with `//` and name a host that is not one of the pages' own.
                """,
            why: """
                Such a URL inherits the scheme of the page: `//cdn.example.org/x.js` becomes \
                `customscheme://cdn.example.org/x.js`, which goes to the app's handler and fails. \
                Cordova's maintainers: "There is nothing we can do, it's the webview itself".
                """,
            sources: [
                .issue(.cordovaIOS, 1114), .issue(.ionicFramework, 20119),
                .proof("protocol-relative-third-party"),
            ],
            instead: "Write `https://`.",
            detection: """
                The reference starts with two slashes and its host is not in the configured `host` \
                list; without such a list, the package has no file of its path. If `check.external` \
                lists the host, it is a warning: the page never gets the file, and may do without it.
                """),
        examples: [
            .bad("index.html", "<script src=\"↓//cdn.example.org/x.js\"></script>"),
            .bad("app.css", "@import \"↓//fonts.example.org/a.css\";"),
            .bad(
                "index.html", "<script src=\"↓//cdn.example.org/x.js\"></script>",
                "no host is configured", profile: .pathStrict),
            .bad(
                "index.html", "<script src=\"↓//cdn.example.org/x.js\"></script>",
                "a warning: its host is listed",
                options: CheckOptions(external: ["cdn.example.org"])),
            .good(
                "index.html", "<script src=\"//www.example.com/x.js\"></script>",
                "no host is configured, and the file is packaged", others: ["x.js": ""],
                profile: .pathStrict),
            .good(
                "index.html", "<script src=\"//www.example.com/x.js\"></script>",
                "the pages' own host", others: ["x.js": ""]),
            .good("index.html", "<script src=\"https://cdn.example.org/x.js\"></script>"),
            .good(
                "index.html", "<script src=\"//cdn.example.org/x.js\"></script>",
                "an https page", profile: .seed003.with(pageOrigin: .https)),
        ],
        document: { document, sink in
            for reference in document.references
            where reference.isProtocolRelative && reference.isEffective
                && (reference.use.isFetched || reference.use == .submission
                    || reference.use == .beacon || reference.use == .navigation)
            {
                guard let url = reference.resolution.url,
                    url.scheme == document.profile.canonicalScheme,
                    ProtocolRelative.isThirdParty(reference, document.profile)
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
    /// Whether a URL without a scheme names a host of somebody else.
    ///
    /// Where no hosts are configured, a file that the package lacks is taken for another host's.
    static func isThirdParty(_ reference: Reference, _ profile: Profile) -> Bool {
        guard reference.isProtocolRelative, let host = reference.resolution.url?.host else {
            return false
        }
        if profile.hosts.isEmpty {
            return reference.resolution.isMiss
                && !host.inLowerCase.elementsEqual(Profile.unknownHost.utf8)
        }
        return !profile.ownsHost(host)
    }
}
