import PackWeb

extension Rule {
    /// `upgrade-insecure-requests` in a custom-scheme page.
    static let cspUpgradeInsecure = Rule(
        "csp-upgrade-insecure", group: .security, level: .customPages(.hint),
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
