import PackWeb

extension Rule {
    /// A packaged file that a script loads from the network.
    static let jsAssetLiteral = Rule(
        "js-asset-literal", "a script names a packaged file by its https URL", group: .script,
        level: .always(.warning), fix: .unsafe,
        explanation: .init(
            what: "Finds strings in scripts that are the http or https URL of a packaged file.",
            why: """
                The file is on the device, but the page loads it from the network: missing \
                offline, and slower online than from the package.
                """,
            sources: [.cite(.s003, "only custom URLs reach the handler"), .cite(.ruleStudy)],
            instead: "Write a path without scheme and host, or set the bundler's public path.",
            detection: """
                Each string that is an absolute URL on one of the profile's hosts is looked up in \
                the package. Only string literals are checked; values in variables are not known.
                """),
        examples: [
            .bad("app.js", "x = \"↓https://www.example.com/i/x.png\"", others: ["i/x.png": ""]),
            .good(
                "app.js", "x = \"/i/x.png\"; y = \"https://other.example.org/i/x.png\"",
                others: ["i/x.png": ""]),
            .good("app.js", "// https://www.example.com/i/x.png\nx = 1", others: ["i/x.png": ""]),
        ],
        document: { document, sink in
            for reference in document.references {
                guard case .script = reference.kind,
                    case .otherOrigin = reference.resolution.outcome,
                    let twin = reference.resolution.twin, reference.use != .identifier,
                    !reference.isProtocolRelative
                else { continue }
                let url = document.profile.url(of: document.site.path(twin), secure: false)
                sink.report(
                    reference,
                    "'\(reference.text)' is in the package, but it is loaded from the network",
                    notes: ["packaged as '\(printable(document.site.path(twin).bytes))'"],
                    fix: document.profile.pageOrigin == .custom
                        ? url.flatMap { document.fix(.unsafe, reference, to: $0.href) } : nil)
            }
        })
}
