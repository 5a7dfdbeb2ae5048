extension Rule {
    /// A scheme other than the configured one.
    static let schemeInconsistent = Rule(
        "scheme-inconsistent", "a URL has a scheme that the app does not register", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: """
                Finds subresources whose scheme is neither a web scheme nor the configured one, \
                and any URL whose scheme is almost the configured one.
                """,
            why: """
                The app registers one handler. A request for another scheme fails with \
                "unsupported URL", or the system opens another app.
                """,
            sources: [
                .cite(.appleDocs, "WKWebViewConfiguration setURLSchemeHandler(_:forURLScheme:)")
            ],
            instead:
                """
                Use one scheme, spelled as in packtool.yaml; list the schemes of native \
                bridges under `app-schemes`.
                """,
            detection: """
                The scheme of every reference is compared with the configured one; links such as \
                `weixin://` are allowed.
                """),
        examples: [
            .bad("index.html", "<img src=\"↓myapp://www.example.com/a.png\">"),
            .bad(
                "index.html", "<a href=\"↓customschem://www.example.com/a.html\">a</a>",
                "almost the configured scheme"),
            .good(
                "index.html", "<a href=\"weixin://dl/\">a</a><a href=\"myapp://x\">b</a>",
                "links may open other apps"),
            .good(
                "index.html", "<iframe src=\"jsbridge://call\"></iframe>", "a native bridge",
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
