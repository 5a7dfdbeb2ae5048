extension Rule {
    /// Capital letters in the scheme, which WebKit lowercases.
    static let schemeUppercase = Rule(
        "scheme-uppercase", "the scheme has capital letters", group: .scheme,
        level: .init("error where the client compares schemes byte by byte, else warning") {
            $0.client.schemeComparison == .exact ? .error : .warning
        }, fix: .safe,
        explanation: .init(
            what: "Finds capital letters in the configured scheme and in URLs that use it.",
            why: """
                WebKit lowercases the scheme of every URL that it passes to the app. An app that \
                compares it with a constant such as `@"customScheme"` does not recognize the URL: \
                its network request is empty, the task gets no response, and the web view throws \
                an exception. Scripts that compare with `customScheme://` fail in the same way.
                """,
            sources: [
                .cite(.webkitSource, "WKWebViewConfiguration.mm, maybeCanonicalizeScheme"),
                .cite(.s003, "hasPrefix:kUrlScheme"),
                .cite(.cordovaIOS, "CDVURLSchemeHandler, isEqualToString:"),
            ],
            instead: "Write the scheme in lower case everywhere, including the app's code.",
            detection: """
                The configured scheme and the text of every URL of the scheme are checked.
                """),
        examples: [
            .bad(
                "index.html", "<script src=\"↓customScheme://www.example.com/x.js\"></script>",
                others: ["x.js": ""], except: [.string]),
            .bad(
                "app.css", "a { background: url(↓CustomScheme://www.example.com/x.png) }",
                others: ["x.png": ""]),
            .bad(
                "index.html", "<p>x</p>", "the constant in the app",
                profile: Example.profile.with { $0.scheme = "customScheme" }, silent: []),
            .good(
                "index.html", "<script src=\"customscheme://www.example.com/x.js\"></script>",
                others: ["x.js": ""]),
            .good("index.html", "<a href=\"HTTPS://www.example.com/\">x</a>", "a web scheme"),
        ],
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.use != .inert {
                guard reference.use != .identifier, reference.writtenScheme == custom else {
                    continue
                }
                let written = reference.value.drop { $0 <= 0x20 }.prefix(custom.count)
                guard !written.elementsEqual(custom) else { continue }
                let lower = String(decoding: custom, as: UTF8.self)
                sink.report(
                    reference, "the scheme in '\(reference.text)' has capital letters",
                    fix: SchemeSpelling.replacing(reference, with: lower).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        },
        site: { context, sink in
            let scheme = context.profile.scheme
            guard scheme.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return }
            sink.report(
                name: ".",
                """
                the configured scheme '\(scheme)' has capital letters; URLs reach the app in \
                lower case
                """)
        })
}
