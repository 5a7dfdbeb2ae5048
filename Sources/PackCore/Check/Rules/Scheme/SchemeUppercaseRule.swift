extension Rule {
    /// Capitals in the scheme, which WebKit writes in lower case.
    static let schemeUppercase = Rule(
        "scheme-uppercase", "the scheme is written with capitals", group: .scheme,
        level: .init("error where the client compares schemes byte by byte, else warning") {
            $0.client.schemeComparison == .exact ? .error : .warning
        }, fix: .safe,
        explanation: .init(
            what: "Finds capitals in the configured scheme and in URLs that use it.",
            why: """
                WebKit hands every URL to the app in lower case. An app that compares with its own \
                constant '@"customScheme"' does not know the URL: its request to the network is empty, \
                it answers nothing, and the web view throws. Scripts that compare with \
                'customScheme://' fail the same way.
                """,
            source:
                "WKWebViewConfiguration.mm maybeCanonicalizeScheme; S003 hasPrefix:kUrlScheme; CDVURLSchemeHandler isEqualToString:",
            instead: "Write the scheme in lower case everywhere, in the app's code too.",
            detection: "The configured scheme, and the text of every URL of the scheme."),
        examples: [
            .bad(
                "index.html", "<script src=\"↓customScheme://www.example.com/x.js\"></script>",
                others: ["x.js": ""]),
            .bad(
                "app.css", "a { background: url(↓CustomScheme://www.example.com/x.png) }",
                others: ["x.png": ""]),
            .bad(
                "index.html", "<p>x</p>", "the app's own constant",
                profile: Example.profile.with { $0.scheme = "customScheme" }, silent: []),
            .good(
                "index.html", "<script src=\"customscheme://www.example.com/x.js\"></script>",
                others: ["x.js": ""]),
            .good("index.html", "<a href=\"HTTPS://www.example.com/\">x</a>", "not our scheme"),
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
                    reference, "the scheme in '\(reference.text)' has capitals",
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
                "the configured scheme '\(scheme)' has capitals; URLs reach the app in lower case")
        })
}
