extension Rule {
    /// `upgrade-insecure-requests` in a page of the custom scheme.
    static let cspUpgradeInsecure = Rule(
        "csp-upgrade-insecure", "upgrade-insecure-requests does not reach the client",
        group: .security, level: .customPages(.info),
        explanation: .init(
            what: "Finds `upgrade-insecure-requests` in the policy of a page.",
            why: """
                It makes https of http URLs in the page, but it leaves custom-scheme URLs alone, and it \
                knows nothing of the requests that the client makes itself when a file is missing.
                """,
            source: """
                W3C Upgrade Insecure Requests, section 4.1; proved in WebKitGTK \
                (Tests/Rigs/WebKit/cases/csp-upgrade-insecure)
                """,
            instead: "Let the client fall back to https (profile: fallback: https).",
            detection: "The directive is read from the page's policy."),
        examples: [
            .bad(
                "index.html",
                """
                <meta http-equiv="Content-Security-Policy" content="↓upgrade-insecure-requests; img-src *">
                """),
            .good(
                "index.html",
                "<meta http-equiv=\"Content-Security-Policy\" content=\"img-src *\">"),
        ],
        document: { document, sink in
            for found in document.policies {
                for directive in found.policy.directives
                where directive.name == "upgrade-insecure-requests" {
                    sink.report(
                        at: found.text.sourceRange(of: directive.range),
                        "it changes neither custom-scheme URLs nor the requests that the client makes itself"
                    )
                }
            }
        })
}
