extension Rule {
    /// Another scheme than the one that is configured.
    static let schemeInconsistent = Rule(
        "scheme-inconsistent", "a URL has another scheme than the app registers", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds sub-resources whose scheme is neither the web's nor the configured one, and any \
                URL whose scheme nearly is the configured one.
                """,
            why: """
                The app registers one handler. A request for another scheme goes nowhere: the web view \
                says "unsupported URL", or the system opens another app.
                """,
            source: "WKWebViewConfiguration setURLSchemeHandler:forURLScheme:",
            instead:
                "Use one scheme, spelt as in packtool.yaml; list schemes of bridges under app-schemes.",
            detection: "The scheme of every reference; links such as 'weixin://' are left alone."),
        examples: [
            .bad("index.html", "<img src=\"↓myapp://www.example.com/a.png\">"),
            .bad(
                "index.html", "<a href=\"↓customschem://www.example.com/a.html\">a</a>",
                "nearly the configured one"),
            .good(
                "index.html", "<a href=\"weixin://dl/\">a</a><a href=\"myapp://x\">b</a>",
                "links may lead to other apps"),
            .good(
                "index.html", "<iframe src=\"jsbridge://call\"></iframe>", "a bridge",
                profile: Example.profile.with { $0.appSchemes = ["jsbridge"] }),
        ],
        document: faults { fault, reference, document in
            guard case .otherScheme(let word) = fault else { return nil }
            let scheme = String(decoding: document.profile.canonicalScheme, as: UTF8.self)
            let isNear = SchemeSpelling.isNear(word, to: document.profile.scheme)
            return FaultReport(
                message: "the app handles '\(scheme)', not '\(word)'",
                meant: isNear ? SchemeSpelling.replacing(reference, with: scheme) : nil)
        })
}
