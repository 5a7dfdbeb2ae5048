import PackWeb

// Three rules about one thing: the host of a custom URL, which no parser normalises.

extension Rule {
    /// Capitals in the host of a custom URL.
    static let customHostCase = Rule(
        "custom-host-case", "the host of a custom URL has capitals", group: .scheme,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what: "Finds capitals in the host of URLs of the custom scheme.",
            why: """
                A browser puts the host of an https URL into lower case, but not that of a custom one: \
                'cs://WWW.Test.com' is another origin than 'cs://www.test.com'. Fonts, modules and \
                storage are cut off.
                """,
            source: "URL standard, opaque-host parser",
            instead: "Write hosts in lower case.",
            detection: "The parsed host."),
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
                message: "the host '\(printable(host.serialized))' has capitals",
                meant: reference.writtenScheme == nil ? nil : lower.href)
        })

    /// A host outside ASCII in a custom URL.
    static let customHostIDN = Rule(
        "custom-host-idn", "the host of a custom URL is not ASCII", group: .scheme,
        level: .always(.error),
        explanation: .init(
            what: "Finds hosts of custom URLs with letters outside ASCII.",
            why: """
                A browser maps such a host to 'xn--…' for https only. In a custom URL it is \
                percent-encoded: another origin, and a host that no name server knows.
                """,
            source: "URL standard, opaque-host parser; tried in Node 20",
            instead: "Write the host as punycode: 'xn--…'.",
            detection: "The parsed host."),
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

    /// A host that is none of the app's.
    static let customHostUnknown = Rule(
        "custom-host-unknown", "a custom URL with a host that is not the app's", group: .scheme,
        level: .init("error where hosts are configured") { $0.hosts.isEmpty ? nil : .error },
        fix: .unsafe,
        explanation: .init(
            what: "Finds custom URLs, and protocol-relative ones, whose host is not in 'host'.",
            why: """
                Typical is a third party that was rewritten along: 'cs://hm.example.net/hm.js' is not in \
                the package, and the handler that asks the network for it loses headers and cookies.
                """,
            source: "S003; rules section 2",
            instead: "Leave third parties on https, or add the host to packtool.yaml.",
            detection: "The parsed host against the configured ones."),
        examples: [
            .bad("index.html", "<script src=\"↓customscheme://hm.example.net/hm.js\"></script>"),
            .good("index.html", "<script src=\"https://hm.example.net/hm.js\"></script>"),
            .good(
                "index.html", "<img src=\"customscheme://cdn.example.com/x.png\">",
                "a second host", others: ["x.png": ""],
                profile: Example.profile.with { $0.hosts.append("cdn.example.com") }),
        ],
        document: faults { fault, reference, document in
            // Without its scheme it is the business of protocol-relative-third-party.
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
