extension Rule {
    /// A custom URL that does not parse.
    static let customURLUnparsable = Rule(
        "custom-url-unparsable", group: .scheme, level: .always(.error),
        document: faults { fault, reference, _ in
            guard fault == .unparsable else { return nil }
            return FaultReport(message: "'\(reference.text)' is not a valid URL")
        })
}
