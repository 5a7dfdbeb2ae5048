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
                list; without such a list the rule is off.
                """),
        examples: [
            .bad("index.html", "<script src=\"↓//cdn.example.org/x.js\"></script>"),
            .bad("app.css", "@import \"↓//fonts.example.org/a.css\";"),
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
                    !document.profile.ownsHost(url.host)
                else { continue }
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference,
                    """
                    '\(reference.text)' becomes '\(printable(url.serialized()))', which the \
                    app cannot serve
                    """,
                    fix: document.safeFix(reference, to: "https:" + value))
            }
        })
}
