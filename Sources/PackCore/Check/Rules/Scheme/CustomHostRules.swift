import PackWeb

// Three rules about the host of a custom URL, which no parser normalizes.

extension Rule {
    /// Capital letters in the host of a custom URL.
    static let customHostCase = Rule(
        "custom-host-case", "the host of a custom URL has capital letters", group: .scheme,
        level: .always(.hint), fix: .safe,
        explanation: .init(
            what: "Finds capital letters in the host of URLs of the custom scheme.",
            why: """
                A browser lowercases the host of an https URL, but not the host of a custom URL. \
                WebKit takes `cs://WWW.Test.com` and `cs://www.test.com` for one web origin, but \
                for two addresses: a module that is imported by both runs twice.
                """,
            sources: [.cite(.urlStandard, "opaque-host parser"), .proof("custom-host-case")],
            instead: "Write hosts in lower case.",
            detection: "The parsed host is compared with its lower-case form."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme://WWW.Example.com/x.png\">",
                others: ["x.png": ""]),
            .good("index.html", "<a href=\"https://WWW.Example.com/\">x</a>"),
        ],
        document: faults { fault, reference, document in
            guard fault == .hostCase, let url = reference.resolution.url, let host = url.host else {
                return nil
            }
            var lower = url
            lower.host = .opaque(AssetPath.lowercasedASCII(host.serialized))
            return FaultReport(
                message: "the host '\(printable(host.serialized))' has capital letters",
                meant: reference.writtenScheme == nil ? nil : lower.href)
        })

    /// Non-ASCII characters in the host of a custom URL.
    static let customHostIDN = Rule(
        "custom-host-idn", "the host of a custom URL is not ASCII", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what: "Finds non-ASCII characters in the host of custom URLs.",
            why: """
                A browser converts such a host to `xn--…` only in http and https URLs. In a custom \
                URL it is percent-encoded: a different web origin, and a host that DNS cannot \
                resolve.
                """,
            sources: [
                .cite(.urlStandard, "opaque-host parser"), .cite(.nodeURL),
                .proof("custom-host-idn"),
            ],
            instead: "Write the host in punycode: `xn--…`.",
            detection: "The parsed host is checked for percent-encoded bytes."),
        examples: [
            .bad(
                "index.html", "<img src=\"↓customscheme://\u{6D4B}\u{8BD5}.com/x.png\">",
                others: ["x.png": ""]),
            .good(
                "index.html", "<img src=\"customscheme://www.example.com/x.png\">",
                others: ["x.png": ""]),
        ],
        document: faults { fault, reference, _ in
            guard fault == .hostNotASCII, let host = reference.resolution.url?.host else {
                return nil
            }
            return FaultReport(message: "the host is sent as '\(printable(host.serialized))'")
        })

    /// A host that is not one of the app's.
    static let customHostUnknown = Rule(
        "custom-host-unknown", "the host of a custom URL is not one of the app's", group: .scheme,
        level: .init("error where hosts are configured") { $0.hosts.isEmpty ? nil : .error },
        fix: .unsafe,
        explanation: .init(
            what: "Finds custom URLs whose host is not listed under `host`.",
            why: """
                This usually is a third-party URL that was rewritten by mistake: \
                `cs://hm.example.net/hm.js` is not in the package, and a handler that falls back \
                to the network drops headers and cookies.
                """,
            sources: [
                .cite(.s003, "startURLSchemeTask"), .cite(.ruleStudy),
                .proof("custom-host-unknown"),
            ],
            instead: "Leave third-party URLs on https, or add the host to packtool.yaml.",
            detection: "The parsed host is compared with the configured hosts."),
        examples: [
            .bad("index.html", "<script src=\"↓customscheme://hm.example.net/hm.js\"></script>"),
            .good("index.html", "<script src=\"https://hm.example.net/hm.js\"></script>"),
            .good(
                "index.html", "<img src=\"customscheme://cdn.example.com/x.png\">",
                "a second host", others: ["x.png": ""],
                profile: Example.profile.with { $0.hosts.append("cdn.example.com") }),
        ],
        document: faults { fault, reference, document in
            // protocol-relative-third-party reports a URL without a scheme.
            guard fault == .hostUnknown, !reference.isProtocolRelative,
                let host = reference.resolution.url?.host
            else { return nil }
            return FaultReport(
                message:
                    "the host '\(printable(host.serialized))' is not one of the app's",
                meant: reference.writtenScheme == document.profile.canonicalScheme
                    ? SchemeSpelling.replacing(reference, with: "https") : nil,
                safety: .unsafe)
        })
}
