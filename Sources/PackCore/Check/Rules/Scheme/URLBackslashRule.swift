import PackProfile

extension Rule {
    /// A backslash, which browsers repair only in https URLs.
    static let urlBackslash = Rule(
        "url-backslash", group: .scheme, level: .customScheme(.error), fix: .safe,
        document: faults { fault, reference, _ in
            guard case .backslash(let meant) = fault else { return nil }
            return FaultReport(
                message: "the backslashes in '\(reference.text)' stay in this URL", meant: meant)
        })
}
