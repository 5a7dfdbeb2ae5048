import PackWeb

extension Rule {
    /// A packaged file that a script asks the network for.
    static let jsAssetLiteral = Rule(
        "js-asset-literal", "a script names a packaged file by its https address", group: .script,
        level: .always(.warning), fix: .unsafe,
        explanation: .init(
            what: """
                Finds strings in scripts that are the http or https URL of a file in the \
                package.
                """,
            why: """
                The file is on the device, but the page asks the network for it: offline it is \
                missing, online it costs what the package was to save.
                """,
            source: """
                rules section 7; S003 (only URLs with the custom scheme reach the handler)
                """,
            instead: """
                Write a path without scheme and host, or set the bundler's public path.
                """,
            detection: """
                Each string that is an absolute URL on one of the profile's hosts is looked up \
                in the package. Literals of scripts are read; what variables hold is not known.
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
                    "'\(reference.text)' is in the package, but asked from the network",
                    notes: ["it is '\(printable(document.site.path(twin).bytes))'"],
                    fix: url.flatMap { document.fix(.unsafe, reference, to: $0.href) })
            }
        })
}
