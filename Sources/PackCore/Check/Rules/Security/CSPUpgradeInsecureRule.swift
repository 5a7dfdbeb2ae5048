extension Rule {
    /// `upgrade-insecure-requests` in a custom-scheme page.
    static let cspUpgradeInsecure = Rule(
        "csp-upgrade-insecure", "upgrade-insecure-requests does not affect the client",
        group: .security, level: .customPages(.hint),
        explanation: .init(
            what: "Finds `upgrade-insecure-requests` in the policy of a page.",
            why: """
                It upgrades http URLs in the page to https. It does not change custom URLs, and it \
                has no effect on the requests that the client itself makes for missing files.
                """,
            sources: [.cite(.upgradeInsecure, "section 4.1"), .proof("csp-upgrade-insecure")],
            instead: "Have the client fall back to https (`fallback: https` in the profile).",
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
                        "this changes neither custom URLs nor the requests that the client makes"
                    )
                }
            }
        })
}
