extension Rule {
    /// A custom URL without a host.
    static let schemeMissingSlashes = Rule(
        "scheme-missing-slashes", group: .scheme, level: .customScheme(.error), fix: .safe,
        document: faults { fault, reference, _ in
            guard case .missingSlashes(let meant) = fault else { return nil }
            return FaultReport(message: "'\(reference.text)' has no host", meant: meant)
        })
}
