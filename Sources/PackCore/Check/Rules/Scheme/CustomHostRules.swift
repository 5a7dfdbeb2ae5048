import PackGround
import PackProfile
import PackURL

// Rules about the host of a custom URL, which no parser normalizes.

extension Rule {
    /// Capital letters in the host of a custom URL.
    static let customHostCase = Rule(
        "custom-host-case", group: .scheme, level: .customScheme(.hint), fix: .safe,
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
        "custom-host-idn", group: .scheme, level: .customScheme(.error),
        document: faults { fault, reference, _ in
            guard fault == .hostNotASCII, let host = reference.resolution.url?.host else {
                return nil
            }
            return FaultReport(message: "the host is sent as '\(printable(host.serialized))'")
        })

    /// A host that is not one of the app's.
    static let customHostUnknown = Rule(
        "custom-host-unknown", group: .scheme,
        level: .init("error if the app has a custom scheme and hosts are configured") {
            $0.isIntercepted || $0.hosts.isEmpty ? nil : .error
        },
        fix: .unsafe,
        document: faults { fault, reference, document in
            // protocol-relative-third-party reports URLs without a scheme.
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
